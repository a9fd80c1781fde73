#pragma once
// SDL must not rename our main: Swift provides it.
#define SDL_MAIN_HANDLED 1
#include <SDL.h>
#include <SDL_image.h>
#include <SDL_ttf.h>
// Memory that a large picture needed goes back to the system (malloc_trim).
#include <malloc.h>
