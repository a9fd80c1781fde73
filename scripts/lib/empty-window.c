// An SDL window with a software renderer and nothing in it, of the size given: what any program of this kind costs.
// Prints `ready` once it is on the screen, and waits until standard input ends.
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: empty-window WIDTH HEIGHT\n");
        return 64;
    }
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        fprintf(stderr, "empty-window: %s\n", SDL_GetError());
        return 69;
    }
    SDL_Window *window =
        SDL_CreateWindow("empty", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, atoi(argv[1]), atoi(argv[2]), 0);
    SDL_Renderer *renderer = window ? SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE) : NULL;
    if (!renderer) {
        fprintf(stderr, "empty-window: %s\n", SDL_GetError());
        return 69;
    }
    SDL_SetRenderDrawColor(renderer, 20, 22, 40, 255);
    SDL_RenderClear(renderer);
    SDL_RenderPresent(renderer);
    SDL_PumpEvents();
    puts("ready");
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {
    }
    SDL_Quit();
    return 0;
}
