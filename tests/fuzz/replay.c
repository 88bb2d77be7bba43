// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs a fuzz target over files, or all files of folders: the corpus as a test, for any compiler.
 * Each input is also tried cut short. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(1);
    }
    static uint8_t data[1 << 20];
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);

    /* A copy of the exact size, so that reading beyond the end is noticed. */
    int runs = 0;
    for (size_t len = size;; len = len * 7 / 8) {
        uint8_t *copy = malloc(len ? len : 1);
        memcpy(copy, data, len);
        LLVMFuzzerTestOneInput(copy, len);
        free(copy);
        runs++;
        if (len == 0)
            return runs;
    }
}

static int replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return replay_file(path);
    int runs = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            char inner[4096];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            runs += replay(inner);
        }
    if (folder)
        closedir(folder);
    return runs;
}

int main(int argc, char **argv)
{
    int runs = 0;
    for (int i = 1; i < argc; i++)
        runs += replay(argv[i]);
    printf("%d inputs\n", runs);
    return runs > 0 ? 0 : 1;
}
