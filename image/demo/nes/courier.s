; Star Courier: a ship, a sky and parcels to fetch. For the Nintendo Entertainment System, assembled by ca65.
;
; The scene's tiles, their places and the palettes come from scene.py. This file is the game: the pad moves the ship,
; A honks, and every parcel that is caught counts and plays a little run of notes.

.include "scene.inc"

PPU_CONTROL  = $2000
PPU_MASK     = $2001
PPU_STATUS   = $2002
OAM_ADDRESS  = $2003
PPU_SCROLL   = $2005
PPU_ADDRESS  = $2006
PPU_DATA     = $2007
PULSE1       = $4000
PULSE2       = $4004
TRIANGLE     = $4008
OAM_DMA      = $4014
APU_ENABLE   = $4015
PAD1         = $4016
APU_FRAME    = $4017

BUTTON_A     = %10000000
BUTTON_UP    = %00001000
BUTTON_DOWN  = %00000100
BUTTON_LEFT  = %00000010
BUTTON_RIGHT = %00000001

SPEED        = 2
SCREEN_TOP   = 16
GROUND       = 176
SCREEN_RIGHT = 238
COUNTER      = $2000 + 27 * 32 + 11     ; where the two digits stand

SHIP_TILE    = 0
FLAME_TILE   = 4
PARCEL_TILE  = 6
FLIP         = %01000000

.segment "HEADER"
    .byte "NES", $1A, 1, 1, %00000001, 0
    .res 8, 0

.segment "ZEROPAGE"
frame:      .res 1      ; counts pictures
drawn:      .res 1      ; set by the picture's end, cleared by the game
pad:        .res 1
pad_before: .res 1
ship_x:     .res 1
ship_y:     .res 1
facing:     .res 1      ; 0 right, FLIP left
parcel_x:   .res 1
parcel_y:   .res 1
tens:       .res 1
ones:       .res 1
chance:     .res 1      ; a shift register: where the next parcel appears
song_at:    .res 1      ; next note of the opening tune
song_wait:  .res 1      ; pictures until then; 0 when the tune is over
chime_at:   .res 1      ; next note of the parcel's run, 0 when silent
left_x:     .res 1
right_x:    .res 1

.segment "OAM"
objects:    .res 256

.segment "CODE"

reset:
    sei
    cld
    ldx #$40
    stx APU_FRAME       ; no interrupts from the sound unit
    ldx #$FF
    txs
    inx
    stx PPU_CONTROL
    stx PPU_MASK
    stx $4010
    bit PPU_STATUS
@warm_up:
    bit PPU_STATUS
    bpl @warm_up
    txa
@clear:
    sta $00,x
    sta $0300,x
    sta $0400,x
    sta $0500,x
    sta $0600,x
    sta $0700,x
    inx
    bne @clear
    lda #$FF
@hide:
    sta objects,x       ; below the last line
    inx
    bne @hide
@ready:
    bit PPU_STATUS
    bpl @ready

    lda #$3F
    sta PPU_ADDRESS
    lda #$00
    sta PPU_ADDRESS
    tax
@palette:
    lda palettes,x
    sta PPU_DATA
    inx
    cpx #32
    bne @palette

    lda #$20
    sta PPU_ADDRESS
    lda #$00
    sta PPU_ADDRESS
    tax
@page0:
    lda picture,x
    sta PPU_DATA
    inx
    bne @page0
@page1:
    lda picture + $100,x
    sta PPU_DATA
    inx
    bne @page1
@page2:
    lda picture + $200,x
    sta PPU_DATA
    inx
    bne @page2
@page3:
    lda picture + $300,x
    sta PPU_DATA
    inx
    bne @page3

    lda #112
    sta ship_x
    lda #120
    sta ship_y
    lda #$5A
    sta chance
    lda #240
    sta parcel_x
    lda #136
    sta parcel_y

    lda #%00000111      ; both pulses and the triangle
    sta APU_ENABLE
    lda #1
    sta song_wait
    ldx #SONG
    lda tune_starts,x
    sta song_at

    lda #%10001000      ; a signal each picture; objects from the second table
    sta PPU_CONTROL
    lda #%00011110
    sta PPU_MASK

game:
    lda drawn
    beq game
    lda #0
    sta drawn
    jsr read_pad
    jsr move_ship
    jsr move_parcel
    jsr honk
    jsr play_tune
    jsr play_chime
    jsr place_objects
    jmp game

; The pad's buttons, one bit each, in `pad`.
read_pad:
    lda pad
    sta pad_before
    lda #1
    sta PAD1
    sta pad             ; the 1 falls out after eight shifts
    lsr a
    sta PAD1
@bit:
    lda PAD1
    lsr a
    rol pad
    bcc @bit
    rts

move_ship:
    lda pad
    and #BUTTON_RIGHT
    beq @left
    lda #0
    sta facing
    lda ship_x
    cmp #SCREEN_RIGHT
    bcs @left
    adc #SPEED          ; carry is clear
    sta ship_x
@left:
    lda pad
    and #BUTTON_LEFT
    beq @up
    lda #FLIP
    sta facing
    lda ship_x
    cmp #SPEED + 2
    bcc @up
    sbc #SPEED          ; carry is set
    sta ship_x
@up:
    lda pad
    and #BUTTON_UP
    beq @down
    lda ship_y
    cmp #SCREEN_TOP
    bcc @down
    sbc #SPEED
    sta ship_y
@down:
    lda pad
    and #BUTTON_DOWN
    beq @done
    lda ship_y
    cmp #GROUND
    bcs @done
    adc #SPEED
    sta ship_y
@done:
    rts

move_parcel:
    lda frame
    lsr a
    bcc @touch          ; every second picture
    dec parcel_x
    bne @touch
    beq next_parcel
@touch:
    lda parcel_x        ; caught when both distances are small
    sec
    sbc ship_x
    clc
    adc #8
    cmp #24
    bcs parcel_done
    lda parcel_y
    sec
    sbc ship_y
    clc
    adc #8
    cmp #24
    bcs parcel_done
    inc ones
    lda ones
    cmp #10
    bne @chime
    lda #0
    sta ones
    inc tens
    lda tens
    cmp #10
    bne @chime
    lda #0
    sta tens
@chime:
    lda #1
    sta chime_at
next_parcel:
    lda chance
    lsr a
    bcc @keep
    eor #$B8
@keep:
    sta chance
    and #$7F
    clc
    adc #40
    sta parcel_y
    lda #248
    sta parcel_x
parcel_done:
    rts

; A new press of A: a short falling note on the first pulse.
honk:
    lda pad_before
    eor #$FF
    and pad
    and #BUTTON_A
    beq @done
    lda #%10011111      ; half wave, full volume
    sta PULSE1
    lda #%10101011      ; sweep down
    sta PULSE1 + 1
    lda #$7C
    sta PULSE1 + 2
    lda #%00100000      ; about a quarter of a second
    sta PULSE1 + 3
@done:
    rts

; The opening tune: pairs of note and length; note 0 is a rest, length 0 the end.
play_tune:
    lda song_wait
    beq @done
    dec song_wait
    bne @done
    ldx song_at
    lda tunes + 1,x
    beq @stop
    sta song_wait
    lda tunes,x
    inx
    inx
    stx song_at
    tay
    beq @done
    lda #%01000110      ; quarter wave, fading
    sta PULSE2
    lda #%00001000
    sta PULSE2 + 1
    lda periods_low,y
    sta PULSE2 + 2
    sta TRIANGLE + 2
    lda periods_high,y
    ora #%00001000
    sta PULSE2 + 3
    lda #%00011000
    sta TRIANGLE
    lda periods_high,y
    ora #%00001000
    sta TRIANGLE + 3
    rts
@stop:
    sta song_wait
@done:
    rts

; Four quick rising notes on the second pulse.
play_chime:
    lda chime_at
    beq @done
    lda frame
    and #3
    bne @done
    ldx chime_at
    inc chime_at
    ldy chime - 1,x
    beq @stop
    lda #%10000100
    sta PULSE2
    lda #%00001000
    sta PULSE2 + 1
    lda periods_low,y
    sta PULSE2 + 2
    lda periods_high,y
    ora #%00010000
    sta PULSE2 + 3
    rts
@stop:
    sty chime_at
@done:
    rts

; The ship is four objects, its flame one, the parcel one: four bytes each, Y, tile, attributes, X.
place_objects:
    lda ship_x
    sta left_x
    clc
    adc #8
    sta right_x
    lda facing
    beq @ahead
    ldx left_x          ; mirrored: the halves change places
    ldy right_x
    sty left_x
    stx right_x
@ahead:
    lda ship_y
    sta objects
    sta objects + 4
    clc
    adc #8
    sta objects + 8
    sta objects + 12
    lda #SHIP_TILE
    sta objects + 1
    lda #SHIP_TILE + 1
    sta objects + 5
    lda #SHIP_TILE + 2
    sta objects + 9
    lda #SHIP_TILE + 3
    sta objects + 13
    lda facing
    sta objects + 2
    sta objects + 6
    sta objects + 10
    sta objects + 14
    lda left_x
    sta objects + 3
    sta objects + 11
    lda right_x
    sta objects + 7
    sta objects + 15

    lda ship_y          ; the flame, at the tail
    clc
    adc #4
    sta objects + 16
    lda frame
    lsr a
    lsr a
    and #1
    clc
    adc #FLAME_TILE
    sta objects + 17
    lda facing
    ora #1
    sta objects + 18
    lda left_x
    sec
    sbc #8
    ldx facing
    beq @flame
    lda left_x
    clc
    adc #8
@flame:
    sta objects + 19

    lda frame           ; the parcel bobs
    lsr a
    lsr a
    lsr a
    and #3
    tax
    lda parcel_y
    clc
    adc bob,x
    sta objects + 20
    lda #PARCEL_TILE
    sta objects + 21
    lda #2
    sta objects + 22
    lda parcel_x
    sta objects + 23
    rts

; The picture is out: the only time when its memory may be written.
picture_done:
    pha
    txa
    pha
    inc frame
    lda #0
    sta OAM_ADDRESS
    lda #>objects
    sta OAM_DMA

    lda #>COUNTER
    sta PPU_ADDRESS
    lda #<COUNTER
    sta PPU_ADDRESS
    lda tens
    clc
    adc #DIGITS
    sta PPU_DATA
    lda ones
    clc
    adc #DIGITS
    sta PPU_DATA

    lda #$3F            ; the bright stars twinkle
    sta PPU_ADDRESS
    lda #$03
    sta PPU_ADDRESS
    ldx #TWINKLE_A
    lda frame
    and #%01111000
    bne @star
    ldx #TWINKLE_B
@star:
    stx PPU_DATA

    lda #0
    sta PPU_SCROLL
    sta PPU_SCROLL
    lda #%10001000
    sta PPU_CONTROL
    lda #1
    sta drawn
    pla
    tax
    pla
no_signal:
    rti

bob:
    .byte 0, 1, 2, 1

; Notes of three octaves from C: what the sound unit divides its clock by.
; 0 is no note, 1 is the lowest C, 13 the next, 25 the one above.
periods_low:
    .byte 0
    .byte <855, <807, <762, <719, <679, <641, <605, <571, <539, <508, <480, <453
    .byte <427, <403, <381, <359, <339, <320, <302, <285, <269, <254, <240, <226
    .byte <213, <201, <190, <179, <169, <160, <151, <142, <134, <127, <120, <113
periods_high:
    .byte 0
    .byte >855, >807, >762, >719, >679, >641, >605, >571, >539, >508, >480, >453
    .byte >427, >403, >381, >359, >339, >320, >302, >285, >269, >254, >240, >226
    .byte >213, >201, >190, >179, >169, >160, >151, >142, >134, >127, >120, >113

chime:
    .byte 25, 29, 32, 36, 0

tune_starts:
    .byte tune0 - tunes, tune1 - tunes, tune2 - tunes, tune3 - tunes
tunes:
tune0:
    .byte 13, 10, 17, 10, 20, 10, 25, 20, 22, 10, 25, 10, 29, 30, 0, 0
tune1:
    .byte 10, 14, 13, 14, 17, 14, 22, 28, 20, 14, 17, 14, 15, 28, 10, 28, 0, 0
tune2:
    .byte 16, 8, 17, 8, 16, 8, 12, 24, 16, 8, 17, 8, 20, 8, 24, 32, 0, 0
tune3:
    .byte 20, 8, 24, 8, 27, 8, 32, 16, 27, 8, 32, 8, 36, 30, 0, 0

palettes:
    .byte PALETTES
picture:
    .incbin "scene.nam"

.segment "VECTORS"
    .word picture_done, reset, no_signal

.segment "TILES"
    .incbin "scene.chr"
