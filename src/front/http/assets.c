// SPDX-License-Identifier: GPL-3.0-or-later
#include "front/http/assets.h"

#include "base/compiler.h"

EMBED_FILE(samara_openapi, SAMARA_OPENAPI_FILE);

/* SAMARA_ASSETS_FILE is written when the page is built: ASSET(number, name, digest, type, file,
 * packed file). */
#define ASSET(n, name, digest, type, file, packed)                                                 \
    EMBED_FILE(samara_asset_##n, file);                                                            \
    EMBED_FILE(samara_asset_packed_##n, packed);
#include SAMARA_ASSETS_FILE
#undef ASSET

/* The files of the page are compiled in; the build lists them. */
bool assets_find(Str name, Asset *out)
{
#define ASSET(n, file_name, file_digest, file_type, file, packed_file)                             \
    if (str_is(name, file_name)) {                                                                 \
        *out = (Asset){file_name,                                                                  \
                       file_digest,                                                                \
                       file_type,                                                                  \
                       {samara_asset_##n, (size_t)(samara_asset_##n##_end - samara_asset_##n)},    \
                       {samara_asset_packed_##n,                                                   \
                        (size_t)(samara_asset_packed_##n##_end - samara_asset_packed_##n)}};       \
        return true;                                                                               \
    }
#include SAMARA_ASSETS_FILE
#undef ASSET
    (void)name;
    (void)out;
    return false;
}

Str assets_openapi(void)
{
    return (Str){samara_openapi, (size_t)(samara_openapi_end - samara_openapi)};
}
