// SPDX-License-Identifier: GPL-3.0-or-later
#include "nnue/accumulator.h"
#include "nnue/features.h"
#include "train/trainer.h"
#include "train_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TRAIN = 4096, VALID = 512 };
static Sample train_samples[TRAIN], valid_samples[VALID];
static const Dataset data = {.train = train_samples,
                             .valid = valid_samples,
                             .train_count = TRAIN,
                             .valid_count = VALID,
                             .identity = 99};

static TrainerSettings settings(void)
{
    TrainerSettings s = trainer_defaults;
    s.shape.hidden = 128;
    s.shape.buckets = 2;
    s.epochs = 4;
    s.batch = 512;
    s.warmup = 4;
    s.rate = 2e-3;
    return s;
}

static char checkpoint[64];

static Trainer *begin(int threads)
{
    Trainer *c = calloc(1, sizeof *c);
    const TrainerSettings s = settings();
    assert_true(trainer_begin(c, &s, &data, threads, NULL));
    return c;
}

static void end(Trainer *c)
{
    trainer_end(c);
    free(c);
}

static Buffer exported(const Trainer *c)
{
    Buffer out = {0};
    assert_true(model_export(&c->model, data.identity, &out, NULL));
    return out;
}

static void both_losses_fall(void **state)
{
    (void)state;
    Trainer *c = begin(2);
    while (c->epochs_done < 4)
        assert_true(trainer_epoch(c, NULL, NULL));
    assert_true(c->curve[3].train_loss < 0.85 * c->curve[0].train_loss);
    assert_true(c->curve[3].valid_loss < 0.9 * c->curve[0].valid_loss);
    assert_true(c->curve[3].rate < c->curve[0].rate);
    end(c);
}

static void going_on_from_a_checkpoint_changes_nothing(void **state)
{
    (void)state;
    Trainer *whole = begin(2);
    for (int i = 0; i < 4; i++)
        assert_true(trainer_epoch(whole, NULL, NULL));
    Trainer *first = begin(2);
    for (int i = 0; i < 2; i++)
        assert_true(trainer_epoch(first, NULL, NULL));
    assert_true(trainer_save(first, checkpoint, NULL));
    Trainer *second = begin(2);
    assert_true(trainer_resume(second, checkpoint, NULL));
    assert_int_equal(second->epochs_done, 2);
    for (int i = 0; i < 2; i++)
        assert_true(trainer_epoch(second, NULL, NULL));
    Buffer a = exported(whole), b = exported(second);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.data, b.data, a.len);
    assert_memory_equal(whole->curve, second->curve, 4 * sizeof *whole->curve);
    buffer_free(&a);
    buffer_free(&b);
    end(whole);
    end(first);
    end(second);
}

static void another_trainer_does_not_take_the_checkpoint(void **state)
{
    (void)state;
    Trainer *c = begin(1);
    assert_true(trainer_save(c, checkpoint, NULL));
    Error err;
    c->settings.rate *= 2;
    assert_false(trainer_resume(c, checkpoint, &err));
    assert_non_null(strstr(err.text, "other settings"));
    assert_true(trainer_start_from(c, checkpoint, NULL));
    c->settings.shape.buckets = 1;
    assert_false(trainer_start_from(c, checkpoint, &err));
    assert_non_null(strstr(err.text, "2 outputs"));
    end(c);
}

static void damaged_checkpoints_are_refused(void **state)
{
    (void)state;
    Trainer *c = begin(1);
    assert_true(trainer_save(c, checkpoint, NULL));
    FILE *file = fopen(checkpoint, "r+b");
    fseek(file, 100000, SEEK_SET);
    fputc(0x55, file);
    fclose(file);
    Error err;
    assert_false(trainer_resume(c, checkpoint, &err));
    assert_non_null(strstr(err.text, "damaged"));
    assert_int_equal(truncate(checkpoint, 10), 0);
    assert_false(trainer_resume(c, checkpoint, &err));
    end(c);
}

static bool stop_early(void *user, size_t done, size_t steps)
{
    (void)user;
    return done < steps / 2;
}

static void a_stopped_epoch_does_not_count(void **state)
{
    (void)state;
    Trainer *c = begin(1);
    assert_false(trainer_epoch(c, stop_early, NULL));
    assert_int_equal(c->epochs_done, 0);
    end(c);
}

static void unpack(const Sample *sample, Position *p)
{
    pos_clear(p);
    Bitboard b = sample->occupied;
    for (int n = 0; b; n++) {
        const int man = sample->men[n >> 1] >> 4 * (n & 1) & 15;
        pos_put(p, piece_make(man >> 3, man & 7), bb_pop(&b));
    }
    p->turn = WHITE;
    pos_finish(p);
}

/* Rounding to 16 bits costs this much and no more (units of the evaluation: sigmoid(x / 400)). */
static void the_rounded_network_agrees_with_the_floats(void **state)
{
    (void)state;
    enum { MEAN_LIMIT = 3, MAX_LIMIT = 20 };
    Trainer *c = begin(2);
    for (int i = 0; i < 4; i++)
        assert_true(trainer_epoch(c, NULL, NULL));
    Buffer file = exported(c);
    Net *net = net_parse(file.data, file.len, NULL);
    assert_non_null(net);
    double sum = 0, largest = 0;
    for (int i = 0; i < TRAIN; i++) {
        Position p;
        unpack(&train_samples[i], &p);
        const double exact = 400 * model_output(&c->model, &train_samples[i]);
        const double difference = fabs(net_evaluate(net, &p) - exact);
        sum += difference;
        largest = fmax(largest, difference);
    }
    assert_true(sum / TRAIN < MEAN_LIMIT);
    assert_true(largest < MAX_LIMIT);
    net_free(net);
    buffer_free(&file);
    end(c);
}

static void curves_have_a_row_for_each_epoch(void **state)
{
    (void)state;
    const CurvePoint points[3] = {
        {0.3, 0.4, 1e-3, 0.3}, {0.2, 0.3, 1e-3, 0.3}, {0.1, 0.2, 1e-4, 0.3}};
    Buffer csv = {0}, svg = {0};
    curve_csv(points, 3, &csv);
    assert_string_equal(buffer_text(&csv),
                        "epoch,train_loss,valid_loss,learning_rate,result_share\n"
                        "1,0.3000000,0.4000000,1.000e-03,0.300\n"
                        "2,0.2000000,0.3000000,1.000e-03,0.300\n"
                        "3,0.1000000,0.2000000,1.000e-04,0.300\n");
    curve_svg(points, 3, "title", &svg);
    assert_non_null(strstr(buffer_text(&svg), "<polyline"));
    assert_non_null(strstr(buffer_text(&svg), "</svg>"));
    buffer_free(&csv);
    buffer_free(&svg);
}

int main(void)
{
    attacks_init();
    snprintf(checkpoint, sizeof checkpoint, "/tmp/samara-trainer-%d.checkpoint", (int)getpid());
    random_samples(train_samples, TRAIN, 1);
    random_samples(valid_samples, VALID, 2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_losses_fall),
        cmocka_unit_test(going_on_from_a_checkpoint_changes_nothing),
        cmocka_unit_test(another_trainer_does_not_take_the_checkpoint),
        cmocka_unit_test(damaged_checkpoints_are_refused),
        cmocka_unit_test(a_stopped_epoch_does_not_count),
        cmocka_unit_test(the_rounded_network_agrees_with_the_floats),
        cmocka_unit_test(curves_have_a_row_for_each_epoch),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(checkpoint);
    return failed;
}
