// Stands in for an emulator in scripts/bench: writes when it was started and when it ended, in monotonic nanoseconds,
// into the file named by `--times=FILE`, its first argument, and plays for the milliseconds given by its second.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv) {
    long long started = now();
    const char option[] = "--times=";
    if (argc < 3 || strncmp(argv[1], option, strlen(option)) != 0) {
        return 64;
    }
    long milliseconds = atol(argv[2]);
    struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&wait, NULL);
    FILE *file = fopen(argv[1] + strlen(option), "w");
    if (!file) {
        return 73;
    }
    fprintf(file, "%lld %lld\n", started, now());
    return fclose(file) == 0 ? 0 : 74;
}
