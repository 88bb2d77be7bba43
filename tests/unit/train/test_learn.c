// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/learn.h"
#include "train_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 512 };
/* Another scale for each group of men. */
static const Blend blend = {0.3f, {200, 250, 300, 350, 400, 450, 500, 550}};
static Sample samples[SAMPLES];
static uint32_t order[SAMPLES / LEARN_RUN];

static Batch first_samples(int count)
{
    for (uint32_t i = 0; i < SAMPLES / LEARN_RUN; i++)
        order[i] = i;
    return (Batch){samples, order, (size_t)count / LEARN_RUN};
}

/* Makes the first layer what the learner reads, so that it computes with the model's own weights.
 */
static void round_first_layer(Model *model)
{
    for (size_t i = 0; i < model->output_at; i++)
        model->weights[i] = rintf(model->weights[i] * LEARN_ONE) / LEARN_ONE;
}

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* The loss in double precision, straight from its definition. */
static double exact_loss(const Model *model, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double share = samples[i].result == SAMPLE_NO_RESULT ? 0 : blend.result;
        const double scale = blend.scale[scale_group(bb_count(samples[i].occupied))];
        const double target =
            share * samples[i].result / 2.0 + (1 - share) * sigmoid(samples[i].score / scale);
        const double output = model_output(model, &samples[i]) * MODEL_SCALE;
        const double miss = sigmoid(output / scale) - target;
        sum += miss * miss;
    }
    return sum / count;
}

static void the_loss_is_what_its_definition_says(void **state)
{
    (void)state;
    Model model;
    assert_true(model_create(&model, (NetShape){1, 128, 8}, 3, NULL));
    Team *team = team_create(2);
    Learner *learner = learner_create(&model, team, &learn_defaults, NULL);
    const Batch batch = first_samples(SAMPLES);
    assert_true(fabs(learner_loss(learner, &batch, blend) - exact_loss(&model, SAMPLES)) < 1e-6);
    assert_true(fabs(learner_gradient(learner, &batch, blend) - exact_loss(&model, SAMPLES)) <
                1e-6);
    learner_destroy(learner);
    team_destroy(team);
    model_free(&model);
}

/* The learner goes through the neurons by tiles, whatever their number; and what it made must come
 * out of the net file as it went in. */
static void every_width_is_learned_and_exported(void **state)
{
    (void)state;
#define WIDTH(H) H,
    static const int widths[] = {NN_WIDTHS(WIDTH)};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        Model model;
        const int kings = i % 2 ? 1 : NN_MAX_KINGS;
        assert_true(model_create(&model, (NetShape){kings, widths[i], 8}, 3, NULL));
        Team *team = team_create(2);
        Learner *learner = learner_create(&model, team, &learn_defaults, NULL);
        const Batch batch = first_samples(SAMPLES);
        for (int step = 0; step < 5; step++) {
            learner_gradient(learner, &batch, blend);
            learner_update(learner, 1e-3f);
        }
        round_first_layer(&model);
        assert_true(fabs(learner_loss(learner, &batch, blend) - exact_loss(&model, SAMPLES)) <
                    1e-6);
        Buffer file = {0};
        assert_true(model_export(&model, 1, &file, NULL));
        Net *net = net_parse(file.data, file.len, NULL);
        assert_non_null(net);
        for (int n = 0; n < widths[i]; n += 7) {
            const int f = n * 31 % (kings * NN_INPUTS);
            assert_int_equal(net->input[f * widths[i] + n],
                             lrint((double)model_input(&model, f, n) * MODEL_QA));
        }
        net_free(net);
        buffer_free(&file);
        learner_destroy(learner);
        team_destroy(team);
        model_free(&model);
    }
}

static void a_sum_beyond_16_bits_is_clipped_like_any_other(void **state)
{
    (void)state;
    Model model;
    assert_true(model_create(&model, (NetShape){1, 128, 8}, 5, NULL));
    for (int neuron = 0; neuron < 128; neuron += 3)
        for (int input = 0; input < NN_INPUTS; input++)
            model.weights[model_input_at(&model, input, neuron)] = neuron % 2 ? 1.98f : -1.98f;
    round_first_layer(&model);
    Team *team = team_create(1);
    Learner *learner = learner_create(&model, team, &learn_defaults, NULL);
    const Batch batch = first_samples(SAMPLES);
    assert_true(fabs(learner_loss(learner, &batch, blend) - exact_loss(&model, SAMPLES)) < 1e-6);
    learner_destroy(learner);
    team_destroy(team);
    model_free(&model);
}

/* d loss / d parameter by central differences in double. The step is small and exact in float;
 * where it makes a neuron cross a clip the quotient is not the derivative, so the check takes two
 * steps and skips those that disagree. */
static double slope(Model *model, size_t at, float step, int count)
{
    const float before = model->weights[at];
    model->weights[at] = before + step;
    const double up = exact_loss(model, count), high = model->weights[at];
    model->weights[at] = before - step;
    const double down = exact_loss(model, count), low = model->weights[at];
    model->weights[at] = before;
    return (up - down) / (high - low);
}

typedef enum Tensor { SHARED, INPUTS, BIASES, OUTPUTS, OUTPUT_BIASES, TENSORS } Tensor;

static size_t random_parameter(const Model *model, Tensor tensor, int count, Rng *rng)
{
    uint16_t own[SAMPLE_MAX_MEN], enemy[SAMPLE_MAX_MEN];
    const Sample *sample = &samples[rng_below(rng, (uint64_t)count)];
    const int men = sample_features(sample, model->shape.kings, own, enemy),
              bucket = nn_bucket(men, model->shape.buckets);
    const int neuron = (int)rng_below(rng, (uint64_t)model->shape.hidden);
    switch (tensor) {
    case SHARED:
        return model_row_at(model, own[rng_below(rng, (uint64_t)men)] % NN_INPUTS, neuron);
    case INPUTS:
        return model_input_at(model, own[rng_below(rng, (uint64_t)men)], neuron);
    case BIASES:
        return model_bias_at(model, neuron);
    case OUTPUTS:
        return model_output_at(model, bucket, (int)rng_below(rng, 2), neuron);
    default:
        return model_output_bias_at(model, bucket);
    }
}

/* The first layer's gradients are sums of rounded ones: their error is small beside those that are
 * usual there, not beside one that happens to be near zero. */
static void check_gradients(int kings)
{
    enum { COUNT = 64, PER_TENSOR = 60 };
    Model model;
    assert_true(model_create(&model, (NetShape){kings, 128, 8}, 4, NULL));
    round_first_layer(&model);
    Team *team = team_create(2);
    Learner *learner = learner_create(&model, team, &learn_defaults, NULL);
    const Batch batch = first_samples(COUNT);
    learner_gradient(learner, &batch, blend);
    Rng rng;
    rng_seed(&rng, (uint64_t)kings);
    for (Tensor tensor = 0; tensor < TENSORS; tensor++) {
        double exact[PER_TENSOR], found[PER_TENSOR], squares = 0, error_squares = 0;
        int checked = 0;
        for (int i = 0; i < PER_TENSOR; i++) {
            const size_t at = random_parameter(&model, tensor, COUNT, &rng);
            const double a = slope(&model, at, 1.0f / 4096, COUNT),
                         b = slope(&model, at, 1.0f / 8192, COUNT);
            if (fabs(a - b) > 1e-3 * fabs(a) + 1e-9)
                continue;
            exact[checked] = b;
            found[checked] = learner_gradient_at(learner, at);
            squares += b * b;
            error_squares += (b - found[checked]) * (b - found[checked]);
            checked++;
        }
        assert_true(checked > PER_TENSOR / 3);
        const double usual = sqrt(squares / checked);
        const double rounding = tensor <= BIASES ? 2e-3 * usual : 0;
        for (int i = 0; i < checked; i++)
            assert_true(fabs(exact[i] - found[i]) < 2e-3 * fabs(exact[i]) + 2e-8 + rounding);
        assert_true(sqrt(error_squares / squares) < 1e-3);
    }
    learner_destroy(learner);
    team_destroy(team);
    model_free(&model);
}

static void gradients_equal_finite_differences_in_every_tensor(void **state)
{
    (void)state;
    check_gradients(1);
    check_gradients(NN_MAX_KINGS);
}

/* A network with king buckets begins as the one without that it is made from. */
static void a_network_grows_king_buckets(void **state)
{
    (void)state;
    Model small, large;
    Buffer file = {0};
    assert_true(model_create(&small, (NetShape){1, 128, 8}, 6, NULL));
    assert_true(model_create(&large, (NetShape){NN_MAX_KINGS, 128, 8}, 7, NULL));
    assert_true(model_export(&small, 1, &file, NULL));
    Net *net = net_parse(file.data, file.len, NULL);
    Error err;
    assert_true(model_import(&small, net, &err));
    assert_true(model_import(&large, net, &err));
    for (int i = 0; i < 64; i++)
        assert_true(fabs(model_output(&small, &samples[i]) - model_output(&large, &samples[i])) <
                    1e-5);
    net_free(net);
    buffer_clear(&file);
    large.weights[model_input_at(&large, NN_INPUTS + 5, 0)] += 0.25f;
    assert_true(model_export(&large, 1, &file, NULL));
    net = net_parse(file.data, file.len, NULL);
    const float before = model_input(&large, NN_INPUTS + 5, 0);
    assert_true(model_import(&large, net, &err));
    assert_true(fabsf(model_input(&large, NN_INPUTS + 5, 0) - before) < 0.5f / MODEL_QA);
    assert_false(model_import(&small, net, &err));
    net_free(net);
    buffer_free(&file);
    model_free(&small);
    model_free(&large);
}

static double train_some(int hidden, int threads, int steps, uint64_t seed, Model *model,
                         double *first)
{
    assert_true(model_create(model, (NetShape){1, hidden, 2}, seed, NULL));
    Team *team = team_create(threads);
    Learner *learner = learner_create(model, team, &learn_defaults, NULL);
    const Batch batch = first_samples(SAMPLES);
    *first = learner_loss(learner, &batch, blend);
    for (int i = 0; i < steps; i++) {
        learner_gradient(learner, &batch, blend);
        learner_update(learner, 1e-3f);
    }
    const double last = learner_loss(learner, &batch, blend);
    learner_destroy(learner);
    team_destroy(team);
    return last;
}

static void a_small_set_is_learned_by_heart(void **state)
{
    (void)state;
    Model model;
    double first;
    const double last = train_some(128, 2, 300, 1, &model, &first);
    assert_true(first > 0.01);
    assert_true(last < 2e-4);
    model_free(&model);
}

static void neurons_begin_different(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        Model model;
        assert_true(model_create(&model, (NetShape){1, 128, 1}, seed, NULL));
        for (int i = 1; i < 128; i++) {
            int equal = 0;
            for (int f = 0; f < NN_INPUTS; f++)
                equal += model.weights[model_input_at(&model, f, i)] ==
                         model.weights[model_input_at(&model, f, 0)];
            assert_true(equal < 10);
        }
        model_free(&model);
    }
}

static void the_same_seed_gives_the_same_network(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        Model a, b, c;
        double first;
        train_some(128, threads, 20, 7, &a, &first);
        train_some(128, threads, 20, 7, &b, &first);
        train_some(128, threads, 20, 8, &c, &first);
        assert_memory_equal(a.weights, b.weights, a.count * sizeof(float));
        assert_memory_not_equal(a.weights, c.weights, a.count * sizeof(float));
        model_free(&a);
        model_free(&b);
        model_free(&c);
    }
}

static void weights_stay_within_the_clip(void **state)
{
    (void)state;
    Model model;
    assert_true(model_create(&model, (NetShape){1, 128, 1}, 1, NULL));
    Team *team = team_create(1);
    const LearnOptions tight = {.beta1 = 0.9f, .beta2 = 0.999f, .clip = 0.05f};
    Learner *learner = learner_create(&model, team, &tight, NULL);
    const Batch batch = first_samples(SAMPLES);
    for (int i = 0; i < 10; i++) {
        learner_gradient(learner, &batch, blend);
        learner_update(learner, 1e-2f);
    }
    for (size_t i = 0; i < model.output_bias_at; i++)
        assert_true(fabsf(model.weights[i]) <= 0.05f);
    learner_destroy(learner);
    team_destroy(team);
    model_free(&model);
}

/* Results drawn from a known scale, another one with few men than with many. */
static void scales_are_found_in_the_results(void **state)
{
    (void)state;
    enum { COUNT = 400000 };
    Sample *many = calloc(COUNT, sizeof *many);
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < COUNT; i++) {
        const bool few = i % 2;
        const int score = (int)rng_below(&rng, 2001) - 1000;
        many[i].occupied = few ? 0x1FF : 0x3FFFFFFF; /* 9 men, 30 men */
        many[i].score = (int16_t)score;
        many[i].result = rng_unit(&rng) < sigmoid(score / (few ? 250.0 : 500.0)) ? 2 : 0;
    }
    const Blend fitted = blend_fitted(0.5f, many, COUNT);
    assert_true(fitted.result == 0.5f);
    assert_true(fabs(fitted.scale[scale_group(9)] - 250) < 10);
    assert_true(fabs(fitted.scale[scale_group(30)] - 500) < 20);
    assert_true(fitted.scale[scale_group(20)] == MODEL_SCALE); /* no samples */
    free(many);
}

int main(void)
{
    attacks_init();
    random_samples(samples, SAMPLES, 1);
    for (int i = 0; i < SAMPLES; i += 7)
        samples[i].result = SAMPLE_NO_RESULT; /* as imitated positions have none */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_are_found_in_the_results),
        cmocka_unit_test(the_loss_is_what_its_definition_says),
        cmocka_unit_test(every_width_is_learned_and_exported),
        cmocka_unit_test(a_sum_beyond_16_bits_is_clipped_like_any_other),
        cmocka_unit_test(a_network_grows_king_buckets),
        cmocka_unit_test(gradients_equal_finite_differences_in_every_tensor),
        cmocka_unit_test(a_small_set_is_learned_by_heart),
        cmocka_unit_test(neurons_begin_different),
        cmocka_unit_test(the_same_seed_gives_the_same_network),
        cmocka_unit_test(weights_stay_within_the_clip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
