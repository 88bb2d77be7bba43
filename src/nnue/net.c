// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/net.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"
#include "nnue/arch.h"
#include "nnue/kernels.h"

#include <string.h>

enum { HEADER_SIZE = 64, CRC_SIZE = 4, VERSION = 1, MAX_FILE = 8 << 20 };
static const char MAGIC[8] = "SAMARANN";

/* --- little-endian numbers --- */

static uint64_t get_le(const uint8_t *p, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static void put_le(Buffer *out, uint64_t value, int bytes)
{
    uint8_t raw[8];
    for (int i = 0; i < bytes; i++)
        raw[i] = (uint8_t)(value >> 8 * i);
    buffer_append(out, raw, (size_t)bytes);
}

static const uint8_t *get_i16s(const uint8_t *p, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(p[2 * i] | p[2 * i + 1] << 8);
    return p + 2 * count;
}

static void put_i16s(Buffer *out, const int16_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_le(out, (uint16_t)values[i], 2);
}

/* --- shape --- */

static size_t input_count(const Net *net)
{
    return (size_t)net->shape.kings * NN_INPUTS * (size_t)net->shape.hidden;
}
static size_t output_count(const Net *net)
{
    return (size_t)net->shape.buckets * 2 * (size_t)net->shape.hidden;
}

static size_t weight_bytes(const Net *net)
{
    return 2 * (input_count(net) + (size_t)net->shape.hidden + output_count(net)) +
           4 * (size_t)net->shape.buckets;
}

bool nn_shape_exists(const NetShape *shape)
{
    return (shape->kings == 1 || shape->kings == NN_MAX_KINGS) && nn_width_exists(shape->hidden) &&
           shape->buckets >= 1 && shape->buckets <= NN_MAX_BUCKETS;
}

void nn_architecture(const NetShape *shape, char out[NN_NAME_SIZE])
{
    char kings[8] = "";
    if (shape->kings != 1)
        snprintf(kings, sizeof kings, "x%d", shape->kings);
    snprintf(out, NN_NAME_SIZE, "768%shm-%dx2-screlu-ob%d", kings, shape->hidden, shape->buckets);
}

static uint64_t architecture_hash(const Net *net)
{
    return hash_bytes(net->architecture, strlen(net->architecture));
}

/* --- proofs that no sum can overflow --- */

/* The largest and smallest value of one neuron on any board with the own king in one bucket: on each
 * square the man that adds most. */
static bool neuron_fits(const Net *net, int king, int neuron)
{
    const int16_t *input = net->input + (size_t)king * NN_INPUTS * (size_t)net->shape.hidden;
    int64_t high = net->bias[neuron], low = high;
    for (int s = 0; s < 64; s++) {
        int up = 0, down = 0;
        for (int kind = 0; kind < NN_INPUTS / 64; kind++) {
            const int w =
                input[(size_t)(kind * 64 + s) * (size_t)net->shape.hidden + (size_t)neuron];
            up = w > up ? w : up;
            down = w < down ? w : down;
        }
        high += up;
        low += down;
    }
    return high <= INT16_MAX && low >= INT16_MIN;
}

/* Every product of a clipped neuron with a weight fits 16 bits, every sum of squares times
 * weights 32. */
static bool bucket_fits(const Net *net, int bucket)
{
    const int16_t *w = net->output + (size_t)bucket * 2 * (size_t)net->shape.hidden;
    const int64_t one = net->qa, bias = net->output_bias[bucket] * one;
    int64_t high = bias > 0 ? bias : 0, low = bias < 0 ? bias : 0;
    for (int i = 0; i < 2 * net->shape.hidden; i++) {
        if (w[i] * one > INT16_MAX || w[i] * one < INT16_MIN)
            return false;
        *(w[i] > 0 ? &high : &low) += w[i] * one * one;
    }
    return high <= INT32_MAX && low >= INT32_MIN;
}

static bool weights_fit(const Net *net)
{
    for (int king = 0; king < net->shape.kings; king++)
        for (int i = 0; i < net->shape.hidden; i++)
            if (!neuron_fits(net, king, i))
                return false;
    for (int i = 0; i < net->shape.buckets; i++)
        if (!bucket_fits(net, i))
            return false;
    return true;
}

/* --- reading --- */

/* Tells a foreign file, a cut one and another version apart, each with its own error. */
static bool check_frame(const uint8_t *bytes, size_t size, Error *err)
{
    if (size < sizeof MAGIC || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return error_code(err, "NET_FOREIGN", 0, "this is not a network of Samara");
    if (size < HEADER_SIZE + CRC_SIZE)
        return error_code(err, "NET_DAMAGED", 0, "the network is cut off after %zu bytes", size);
    if (get_le(bytes + 8, 4) != VERSION || get_le(bytes + 12, 4) != HEADER_SIZE)
        return error_code(err, "NET_VERSION", 0,
                          "the network has format version %u, this program reads %d",
                          (unsigned)get_le(bytes + 8, 4), VERSION);
    return true;
}

/* The shape of the network and its scales, all checked against what this program can compute. */
static bool read_header(Net *net, const uint8_t *bytes, size_t size, Error *err)
{
    const uint8_t *field = bytes + 24;
    net->shape.kings = (int)get_le(field, 2);
    net->shape.hidden = (int)get_le(field + 2, 2);
    net->shape.buckets = (int)get_le(field + 4, 2);
    net->qa = (int)get_le(field + 6, 2);
    net->qb = (int)get_le(field + 8, 2);
    net->scale = (int)get_le(field + 10, 2);
    net->training_id = get_le(bytes + 40, 8);
    nn_architecture(&net->shape, net->architecture);
    if (!nn_shape_exists(&net->shape) || get_le(bytes + 16, 8) != architecture_hash(net))
        return error_code(err, "NET_ARCHITECTURE", 0,
                          "the network's architecture (%d king buckets, %d neurons, %d outputs) is "
                          "not one of this program",
                          net->shape.kings, net->shape.hidden, net->shape.buckets);
    if (net->qa < 1 || net->qa > 1024 || net->qb < 1 || net->qb > 8192 || net->scale < 1 ||
        net->scale > 8192)
        return error_code(err, "NET_DAMAGED", 0, "the network's scales are out of range");
    if (get_le(bytes + 36, 4) != weight_bytes(net) ||
        size != HEADER_SIZE + weight_bytes(net) + CRC_SIZE)
        return error_code(err, "NET_DAMAGED", 0, "the network has %zu bytes instead of %zu", size,
                          HEADER_SIZE + weight_bytes(net) + CRC_SIZE);
    return true;
}

static size_t aligned(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* One block for the struct and all weights, so that freeing is one call. */
static Net *allocate(const Net *plan, int16_t **input, int16_t **bias, int16_t **output,
                     int32_t **output_bias)
{
    const size_t head = aligned(sizeof(Net)), in = aligned(2 * input_count(plan));
    const size_t mid = aligned(2 * (size_t)plan->shape.hidden),
                 out = aligned(2 * output_count(plan));
    uint8_t *block =
        memory_alloc(head + in + mid + out + aligned(4 * (size_t)plan->shape.buckets), 64);
    if (!block)
        return NULL;
    *input = (int16_t *)(void *)(block + head);
    *bias = (int16_t *)(void *)(block + head + in);
    *output = (int16_t *)(void *)(block + head + in + mid);
    *output_bias = (int32_t *)(void *)(block + head + in + mid + out);
    Net *net = (Net *)(void *)block;
    *net = *plan;
    net->input = *input;
    net->bias = *bias;
    net->output = *output;
    net->output_bias = *output_bias;
    for (int men = 0; men <= MAX_MEN; men++)
        net->bucket[men] = (uint8_t)nn_bucket(men, net->shape.buckets);
    return net;
}

/* Copies the weights into aligned memory of their own, in the byte order of this machine. */
static Net *read_weights(const Net *plan, const uint8_t *weights)
{
    int16_t *input, *bias, *output;
    int32_t *output_bias;
    Net *net = allocate(plan, &input, &bias, &output, &output_bias);
    if (!net)
        return NULL;
    const uint8_t *p = get_i16s(weights, input, input_count(net));
    p = get_i16s(p, bias, (size_t)net->shape.hidden);
    p = get_i16s(p, output, output_count(net));
    for (int i = 0; i < net->shape.buckets; i++)
        output_bias[i] = (int32_t)(uint32_t)get_le(p + 4 * i, 4);
    return net;
}

/* Checks everything before it is used: frame, header, checksum, and that no sum of weights can
 * overflow in the kernels. */
Net *net_parse(const void *data, size_t size, Error *err)
{
    const uint8_t *bytes = data;
    Net plan = {0};
    if (!check_frame(bytes, size, err) || !read_header(&plan, bytes, size, err))
        return NULL;

    const uint32_t crc = crc32c(0, bytes, size - CRC_SIZE);
    if (crc != get_le(bytes + size - CRC_SIZE, 4)) {
        error_code(err, "NET_DAMAGED", 0, "the network is damaged: its checksum does not fit");
        return NULL;
    }
    plan.identity = hash_bytes(bytes, size);
    plan.kernels = kernels_for(plan.shape.hidden);
    const int64_t unit = (int64_t)plan.qa * plan.qa * plan.qb;
    plan.multiplier = (((int64_t)plan.scale << 32) + unit / 2) / unit;
    snprintf(plan.name, sizeof plan.name, "samara-%08x", (unsigned)crc);

    Net *net = read_weights(&plan, bytes + HEADER_SIZE);
    if (!net) {
        error_code(err, "NO_MEMORY", 0, "there is not enough memory for the network");
        return NULL;
    }
    if (!weights_fit(net)) {
        net_free(net);
        error_code(err, "NET_DAMAGED", 0,
                   "the network's weights are too large to be computed with safely");
        return NULL;
    }
    return net;
}

/* A file that cannot be read and one that is no network have different error codes. */
Net *net_load(const char *path, Error *err)
{
    Buffer bytes = {0};
    Error why;
    Net *net = NULL;
    if (file_read_all(path, MAX_FILE, &bytes, &why))
        net = net_parse(bytes.data, bytes.len, err);
    else
        error_code(err, "NET_UNREADABLE", 0, "no network: %s", why.text);
    buffer_free(&bytes);
    return net;
}

/* The format that net.h draws, checksum last. */
bool net_write(const Net *net, Buffer *out)
{
    const size_t begin = out->len;
    static const uint8_t zeros[16];
    buffer_append(out, MAGIC, sizeof MAGIC);
    put_le(out, VERSION, 4);
    put_le(out, HEADER_SIZE, 4);
    char name[NN_NAME_SIZE];
    nn_architecture(&net->shape, name);
    put_le(out, hash_bytes(name, strlen(name)), 8);
    const int fields[] = {net->shape.kings, net->shape.hidden, net->shape.buckets,
                          net->qa,          net->qb,           net->scale};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        put_le(out, (uint64_t)fields[i], 2);
    put_le(out, weight_bytes(net), 4);
    put_le(out, net->training_id, 8);
    buffer_append(out, zeros, sizeof zeros);

    put_i16s(out, net->input, input_count(net));
    put_i16s(out, net->bias, (size_t)net->shape.hidden);
    put_i16s(out, net->output, output_count(net));
    for (int i = 0; i < net->shape.buckets; i++)
        put_le(out, (uint32_t)net->output_bias[i], 4);
    if (!out->failed)
        put_le(out, crc32c(0, out->data + begin, out->len - begin), 4);
    return !out->failed;
}

void net_free(Net *net) { memory_free(net); }
const char *net_name(const Net *net) { return net->name; }
const char *net_architecture(const Net *net) { return net->architecture; }
const char *net_vocabulary(void) { return kernels_name(); }
