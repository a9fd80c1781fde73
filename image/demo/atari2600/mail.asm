; Moon Mail: a ship over the mountains of the moon. For the Atari 2600, assembled by dasm.
;
; A picture is 262 lines: 3 of sync, 37 blank, 192 seen, 30 blank. Every seen line is counted, none is timed.
; The tables come from picture.py. The stick moves the ship, the button honks, a parcel that is caught rings.

    processor 6502

VSYNC   = $00
VBLANK  = $01
WSYNC   = $02
NUSIZ0  = $04
NUSIZ1  = $05
COLUP0  = $06
COLUP1  = $07
COLUPF  = $08
COLUBK  = $09
CTRLPF  = $0A
REFP0   = $0B
PF0     = $0D
PF1     = $0E
PF2     = $0F
RESP0   = $10
RESP1   = $11
RESBL   = $14
AUDC0   = $15
AUDC1   = $16
AUDF0   = $17
AUDF1   = $18
AUDV0   = $19
AUDV1   = $1A
GRP0    = $1B
GRP1    = $1C
ENABL   = $1F
HMP0    = $20
HMP1    = $21
HMBL    = $24
VDELP0  = $25
VDELP1  = $26
HMOVE   = $2A
CXCLR   = $2C
CXPPMM  = $37
INPT4   = $3C
SWCHA   = $280
INTIM   = $284
TIM64T  = $296

    include "picture.inc"

    seg.u variables
    org $80
frame       ds 1
ship_x      ds 1
ship_y      ds 1        ; lines between the zone's top and the ship
facing      ds 1
parcel_x    ds 1
parcel_y    ds 1
chance      ds 1
ship_line   ds 1
parcel_line ds 1
ship_row    ds 1        ; what the ship shows on the next line
row         ds 1
last_piece  ds 1
honk        ds 1        ; loudness left of the honk
ring        ds 1        ; pictures left of the ring
held        ds 1        ; the button, as it was
tune_at     ds 1
tune_wait   ds 1
unused      ds 1

    seg code
    org $F000

reset:
    sei
    cld
    ldx #0
    txa
clear:
    dex
    txs
    pha
    bne clear

    lda #76
    sta ship_x
    lda #40
    sta ship_y
    lda #141
    sta parcel_x
    lda #62
    sta parcel_y
    lda #$A5
    sta chance
    ldx #TUNE
    lda tune_starts,x
    sta tune_at
    lda #1
    sta tune_wait

picture:
    lda #2
    sta VBLANK
    sta VSYNC
    sta WSYNC
    sta WSYNC
    sta WSYNC
    lda #0
    sta VSYNC
    lda #44             ; 43 * 64 cycles and the wait below: 37 lines
    sta TIM64T

    inc frame
    jsr move_ship
    jsr move_parcel
    jsr sounds

    lda #SKY_COLOUR
    sta COLUBK
    lda #3              ; three copies close together, of both players in turn: 48 pixels of title
    sta NUSIZ0
    sta NUSIZ1
    sta VDELP0
    sta VDELP1
    lda #0
    sta REFP0
    sta PF0
    sta PF1
    sta PF2
    lda #1              ; the right half mirrors the left
    sta CTRLPF
    lda #56
    ldx #0
    jsr place
    lda #64
    ldx #1
    jsr place
    lda #20             ; the ball is the stars
    ldx #4
    jsr place
    sta WSYNC
    sta HMOVE

wait_blank:
    lda INTIM
    bne wait_blank
    sta WSYNC
    sta VBLANK

    ldx #SKY_TOP - 1
    jsr lines

    MAC TITLE_ROWS      ; which word
    ldy #TITLE - 1
    lda shade{1} + TITLE
    sta COLUP0
    sta COLUP1
.next:
    sta WSYNC
    sty row
    lda word{1}_0,y
    sta GRP0
    lda word{1}_1,y
    sta GRP1
    lda word{1}_2,y
    sta GRP0
    lda word{1}_5,y
    sta last_piece
    ldx word{1}_4,y
    lda word{1}_3,y
    ldy last_piece
    sta GRP1            ; each of these falls between two copies
    stx GRP0
    sty GRP1
    sta GRP0
    ldy row
    lda shade{1},y
    sta COLUP0
    sta COLUP1
    dey
    bpl .next
    sta WSYNC
    lda #0
    sta GRP0
    sta GRP1
    sta GRP0
    ENDM

    TITLE_ROWS 0
    ldx #GAP - 1
    jsr lines
    TITLE_ROWS 1

    ; The gap below the title is where both players are made ready for the game.
    lda #0
    sta NUSIZ0
    sta NUSIZ1
    sta VDELP0
    sta VDELP1
    lda facing
    sta REFP0
    lda #SHIP_COLOUR
    sta COLUP0
    lda #PARCEL_COLOUR
    sta COLUP1
    lda #$0E
    sta COLUPF
    lda ship_x
    clc
    adc #8              ; the late HMOVE below takes eight pixels more
    ldx #0
    jsr place
    lda parcel_x
    adc #8
    ldx #1
    jsr place
    lda ship_y
    clc
    adc #SHIP_HEIGHT
    sta ship_line
    lda parcel_y
    adc #PARCEL_HEIGHT
    sta parcel_line
    sta WSYNC
    ldx #13
late:
    dex
    bne late
    nop
    nop
    sta HMOVE           ; on cycle 73, where it leaves no black comb at the left
    ldy #ZONE
    stx ship_row
    sta CXCLR
    ldx #5              ; the movement registers rest for 24 cycles after HMOVE
settle:
    dex
    bne settle
    ; So late, HMOVE counts from $80: that is no movement.
    ; The ball goes seven pixels to the left a line, which scatters it over the sky.
    lda #$80
    sta HMP0
    sta HMP1
    lda #$F0
    sta HMBL
    sta WSYNC
zone:                   ; 76 cycles, the same on every path, so that HMOVE always falls on the 73rd
    lda sky,y
    sta COLUBK
    lda ship_row
    sta GRP0
    stx GRP1
    lda stars,y
    sta ENABL
    lda #SHIP_HEIGHT - 1
    dcp ship_line
    bcs ship_here
    lda #0
    sta unused
    jmp ship_known
ship_here:
    ldx ship_line
    lda ship,x
ship_known:
    sta ship_row
    lda #PARCEL_HEIGHT - 1
    dcp parcel_line
    bcs parcel_here
    ldx #0
    dec unused
    jmp parcel_known
parcel_here:
    ldx parcel_line
    lda parcel,x
    tax
parcel_known:
    nop
    nop
    nop
    dey
    sta HMOVE
    bne zone
    if (zone ^ .) & $FF00
    echo "the zone's loop crosses a page, which costs it a cycle"
    err
    endif

    ; The line after the zone is lost: the loop ends too late for this one's end.
    ldy #HILLS - 1
hills:
    sta WSYNC
    lda low_sky,y
    sta COLUBK
    lda hill_colours,y
    sta COLUPF
    lda hills0,y
    sta PF0
    lda hills1,y
    sta PF1
    lda hills2,y
    sta PF2
    lda #0
    sta GRP0
    sta GRP1
    sta ENABL
    dey
    bpl hills

    ldy #GROUND - 1
ground:
    sta WSYNC
    lda ground_colours,y
    sta COLUBK
    lda #0
    sta PF0
    sta PF1
    sta PF2
    dey
    bpl ground

    sta WSYNC
    lda #2
    sta VBLANK
    lda #36             ; 30 lines
    sta TIM64T
wait_overscan:
    lda INTIM
    bne wait_overscan
    sta WSYNC
    jmp picture

; X lines of nothing.
lines:
    sta WSYNC
    dex
    bne lines
    rts

; Puts object X (0, 1 a player, 4 the ball) at column A. Takes the rest of this line and the next, whatever the column;
; the fine part follows at the next HMOVE.
place:
    sta WSYNC
    sec
place_coarse:
    sbc #15
    bcs place_coarse
    eor #7
    asl
    asl
    asl
    asl
    sta HMP0,x
    sta RESP0,x
    sta WSYNC
    rts

move_ship:
    lda SWCHA           ; a bit is 0 while the stick leans that way
    tay
    and #%10000000
    bne not_right
    sta facing
    lda ship_x
    cmp #141            ; further right, `place` would not fit into its line
    bcs not_right
    inc ship_x
not_right:
    tya
    and #%01000000
    bne not_left
    lda #8
    sta facing
    lda ship_x
    cmp #12
    bcc not_left
    dec ship_x
not_left:
    tya
    and #%00100000
    bne not_down
    lda ship_y
    cmp #ZONE - SHIP_HEIGHT - 2
    bcs not_down
    inc ship_y
not_down:
    tya
    and #%00010000
    bne not_up
    lda ship_y
    beq not_up
    dec ship_y
not_up:
    rts

move_parcel:
    bit CXPPMM          ; did the two touch in the last picture?
    bpl not_caught
    lda #24
    sta ring
    bne next_parcel
not_caught:
    lda frame
    and #1
    bne parcel_done
    dec parcel_x
    lda parcel_x
    cmp #4
    bcs parcel_done
next_parcel:
    lda chance
    lsr
    bcc chance_known
    eor #$B8
chance_known:
    sta chance
    and #63
    clc
    adc #8
    sta parcel_y
    lda #141
    sta parcel_x
parcel_done:
    rts

sounds:
    lda INPT4           ; its top bit is 0 while the button is down
    tax
    bmi no_press
    lda held
    bpl no_press
    lda #15
    sta honk
no_press:
    stx held

    lda honk
    beq honk_over
    dec honk
honk_over:
    lda honk
    sta AUDV0
    lda #12
    sta AUDC0
    lda #28
    sec
    sbc honk
    sta AUDF0

    lda ring
    beq play_tune
    dec ring
    lda ring
    lsr
    sta AUDF1
    lda ring
    lsr
    sta AUDV1
    lda #4
    sta AUDC1
    rts

play_tune:
    lda tune_wait
    beq quiet
    lsr
    cmp #8
    bcc fading
    lda #8
fading:
    sta AUDV1
    dec tune_wait
    bne tune_done
    ldx tune_at
    lda tunes+1,x
    sta tune_wait
    beq quiet
    lda tunes,x
    sta AUDF1
    inx
    inx
    stx tune_at
    lda #12
    sta AUDC1
    rts
quiet:
    lda #0
    sta AUDV1
tune_done:
    rts

tune_starts:
    .byte tune0-tunes, tune1-tunes
tunes:                  ; pairs of pitch and length, ended by a length of 0
tune0:
    .byte 19,14, 15,14, 12,14, 9,28, 12,14, 9,40, 0,0
tune1:
    .byte 12,10, 14,10, 12,10, 9,20, 7,20, 9,40, 0,0

    TABLES

    org $FFFA
    .word reset, reset, reset
