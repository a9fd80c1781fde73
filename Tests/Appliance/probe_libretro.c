/* A core for RetroArch that is no emulator: it writes down which controls of its players are pressed. So a test sees
 * what reaches a game, not what a configuration says.
 *
 * RETRO_PROBE names the file: a line `PLAYER CONTROL VALUE` for each change (controls are RetroArch's: b, y, select,
 * start, up, down, left, right, a, x, l, r, l2, r2, l3, r3; sticks are lx, ly, rx, ry with -32767...32767), and a line
 * `ready` once input is read. The declarations are those of libretro's interface, as far as they are used here. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 48, PLAYERS = 8, BUTTONS = 16, STICKS = 4 };
enum { DEVICE_JOYPAD = 1, DEVICE_ANALOG = 5 };
enum { ENVIRONMENT_SET_PIXEL_FORMAT = 10, PIXEL_FORMAT_XRGB8888 = 1 };

struct system_info {
    const char *library_name, *library_version, *valid_extensions;
    bool need_fullpath, block_extract;
};
struct av_info {
    unsigned base_width, base_height, max_width, max_height;
    float aspect_ratio;
    double fps, sample_rate;
};
struct game_info {
    const char *path;
    const void *data;
    size_t size;
    const char *meta;
};

typedef bool (*environment_function)(unsigned, void *);
typedef void (*video_function)(const void *, unsigned, unsigned, size_t);
typedef void (*sample_function)(int16_t, int16_t);
typedef size_t (*batch_function)(const int16_t *, size_t);
typedef void (*poll_function)(void);
typedef int16_t (*state_function)(unsigned, unsigned, unsigned, unsigned);

static const char *const buttons[BUTTONS] = { "b",  "y", "select", "start", "up", "down", "left", "right",
                                              "a",  "x", "l",      "r",     "l2", "r2",   "l3",   "r3" };
static const char *const sticks[STICKS] = { "lx", "ly", "rx", "ry" };

static environment_function environment;
static video_function show;
static batch_function play;
static poll_function poll_input;
static state_function state;
static FILE *output;
static int16_t before[PLAYERS][BUTTONS + STICKS];
static uint32_t picture[WIDTH * HEIGHT];

void retro_set_environment(environment_function function) { environment = function; }
void retro_set_video_refresh(video_function function) { show = function; }
void retro_set_audio_sample(sample_function function) { (void)function; }
void retro_set_audio_sample_batch(batch_function function) { play = function; }
void retro_set_input_poll(poll_function function) { poll_input = function; }
void retro_set_input_state(state_function function) { state = function; }
void retro_set_controller_port_device(unsigned port, unsigned device) { (void)port, (void)device; }

unsigned retro_api_version(void) { return 1; }

void retro_get_system_info(struct system_info *info)
{
    *info = (struct system_info){ "Probe", "1", "probe", true, true };
}

void retro_get_system_av_info(struct av_info *info)
{
    *info = (struct av_info){ WIDTH, HEIGHT, WIDTH, HEIGHT, 4.0f / 3.0f, 60.0, 32000.0 };
}

void retro_init(void)
{
    const char *path = getenv("RETRO_PROBE");
    if (path)
        output = fopen(path, "a");
    if (output)
        setvbuf(output, NULL, _IOLBF, 0);
}

void retro_deinit(void)
{
    if (output)
        fclose(output);
    output = NULL;
}

bool retro_load_game(const struct game_info *game)
{
    unsigned format = PIXEL_FORMAT_XRGB8888;
    (void)game;
    return environment(ENVIRONMENT_SET_PIXEL_FORMAT, &format) && output;
}

static void note(unsigned player, unsigned index, const char *name, int16_t value)
{
    if (before[player][index] == value)
        return;
    before[player][index] = value;
    fprintf(output, "%u %s %d\n", player + 1, name, value);
}

void retro_run(void)
{
    static bool is_ready;
    static const int16_t silence[2 * 533];
    poll_input();
    for (unsigned player = 0; player < PLAYERS; player++) {
        for (unsigned index = 0; index < BUTTONS; index++)
            note(player, index, buttons[index], state(player, DEVICE_JOYPAD, 0, index));
        for (unsigned index = 0; index < STICKS; index++)
            note(player, BUTTONS + index, sticks[index], state(player, DEVICE_ANALOG, index / 2, index % 2));
    }
    if (!is_ready)
        fprintf(output, "ready\n");
    is_ready = true;
    /* Something changes in every picture, so that none is left out. */
    picture[0] += 0x010101;
    show(picture, WIDTH, HEIGHT, WIDTH * sizeof picture[0]);
    play(silence, 533);
    /* Whether or not sound and screen hold it back. */
    usleep(4000);
}

void retro_unload_game(void) {}
void retro_reset(void) {}
unsigned retro_get_region(void) { return 0; }
size_t retro_serialize_size(void) { return 0; }
bool retro_serialize(void *data, size_t size) { return (void)data, (void)size, false; }
bool retro_unserialize(const void *data, size_t size) { return (void)data, (void)size, false; }
void retro_cheat_reset(void) {}
void retro_cheat_set(unsigned index, bool enabled, const char *code) { (void)index, (void)enabled, (void)code; }
bool retro_load_game_special(unsigned type, const struct game_info *games, size_t count)
{
    return (void)type, (void)games, (void)count, false;
}
void *retro_get_memory_data(unsigned id) { return (void)id, NULL; }
size_t retro_get_memory_size(unsigned id) { return (void)id, 0; }
