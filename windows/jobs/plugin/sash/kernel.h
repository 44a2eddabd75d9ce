/* A kernel of your own, in a shared object that sashd loads: the C ABI, version 1.
 *
 * A plug-in defines one variable, `sash_plugin`. It describes the kernel and names the function
 * that sashd calls for each run:
 *
 *   #include <sash/kernel.h>
 *
 *   static int run(const sash_run* run) { ... return 0; }
 *   const sash_kernel sash_plugin = {
 *       sizeof(sash_kernel), SASH_ABI, SASH_SCORES, "out_share", "1.0", "What it computes.",
 *       NULL, NULL, 8, 0, run};
 *
 * This header alone is needed. It is C99 and C++. Compile with -shared -fPIC.
 *
 * Rules
 *   (1) Structs begin with their size. A longer struct than the reader knows is of a later minor
 *       version: sashd refuses a plug-in whose further bytes are not zero, and a plug-in reads a
 *       member of sash_run only if `size` covers it. Members are only ever added at the end.
 *   (2) What `sash_run` points to is valid until run() returns. It does not change meanwhile.
 *   (3) Functions of sash_run may be called by any thread while run() is under way, if nothing else
 *       is said. They read; only the put_...() functions, fail() and progress() write.
 *   (4) Vertices are named by ids below id_limit. Ids are not the same in the next run, and there
 *       are holes: `vertices` has those that are in the window. An answer must not depend on the
 *       ids; ties are broken by key (order_by_key).
 *   (5) The lists of vertices have no order, and name a neighbour once for each parallel edge.
 *   (6) A window without vertices has an empty result, without a run.
 *   (7) A plug-in runs in the process of sashd: when it crashes, sashd ends. A job with
 *       `isolate: true` gives it a process of its own.
 */
#ifndef SASH_KERNEL_H
#define SASH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SASH_ABI 1u

typedef uint32_t sash_id;
#define SASH_NO_ID ((sash_id)0xFFFFFFFFu)

/* What a run gives. */
enum {
  SASH_SCORES = 1, /* a number for each vertex, the greatest first */
  SASH_SETS = 2,   /* the set that each vertex is in, the largest first */
  SASH_DEPTHS = 3, /* a whole number for each vertex that is reached, the least first */
  SASH_EDGES = 4   /* pairs of vertices, by key */
};

/* Directions of lists. */
enum { SASH_OUT = 0, SASH_IN = 1 };

/* What read_lists() gives beside the neighbours. */
enum { SASH_WEIGHTS = 1, SASH_TYPES = 2 };

enum { SASH_KEYS_TEXT = 0, SASH_KEYS_INTEGER = 1 };

/* Some lists, in bulk: list i is that of vertices[i], and has lengths[i] neighbours. */
typedef struct sash_lists {
  size_t size; /* sizeof(sash_lists) */
  size_t count;
  const sash_id* vertices;
  const uint32_t* lengths;
  const sash_id* const* neighbours;
  const double* const* weights;  /* NULL without SASH_WEIGHTS */
  const uint32_t* const* types;  /* NULL without SASH_TYPES; 0: the edge has no type */
} sash_lists;

/* Gets lists, which are valid until it returns. Another value than 0 ends the reading. */
typedef int (*sash_visit)(void* state, const sash_lists* lists);

/* The part [first, last) of a loop. */
typedef void (*sash_body)(void* state, size_t first, size_t last);

typedef struct sash_run sash_run;

struct sash_run {
  size_t size; /* of what sashd fills */
  uint32_t abi;
  uint32_t key_kind;  /* SASH_KEYS_... */
  uint64_t vertex_count;
  uint64_t edge_count;      /* parallel edges included */
  sash_id id_limit;         /* every id is below it: the length of arrays by id */
  uint32_t threads;         /* that a loop of parallel_for() has at most */
  const sash_id* vertices;  /* vertex_count ids, ascending */
  const char* parameters;   /* a JSON object with every parameter, defaults included */

  /* One parameter. What the schema does not have, or has with another type, is 0 or "". */
  double (*number)(const sash_run* run, const char* name); /* of `number` and `integer` */
  int64_t (*integer)(const sash_run* run, const char* name);
  int (*boolean)(const sash_run* run, const char* name);
  const char* (*text)(const sash_run* run, const char* name);

  /* The lists of vertices[first] up to vertices[last - 1], in this order, in several calls of
   * `visit`. `with`: SASH_WEIGHTS, SASH_TYPES, their sum, or 0. Returns 0 when all were visited;
   * what `visit` returned, when that was not 0; or -1 when the run shall stop. */
  int (*read_lists)(const sash_run* run, int direction, unsigned with, size_t first, size_t last,
                    sash_visit visit, void* state);
  /* The lengths of the same lists, in the order of `vertices`; degrees[0] is that of
   * vertices[first]. */
  void (*degrees)(const sash_run* run, int direction, size_t first, size_t last,
                  uint32_t* degrees);

  /* The key of a vertex, as text: writes at most `room` bytes, without a zero at the end, and
   * returns its length. 0: the id is not in the window. */
  size_t (*key)(const sash_run* run, sash_id vertex, char* buffer, size_t room);
  /* With SASH_KEYS_INTEGER. 0: the id is not in the window. */
  int64_t (*integer_key)(const sash_run* run, sash_id vertex);
  /* The vertex with this key, or SASH_NO_ID. */
  sash_id (*find)(const sash_run* run, const char* key, size_t length);
  /* All vertices in the order of their keys (by UTF-8 bytes, or numerically). */
  void (*order_by_key)(const sash_run* run, sash_id* vertices);
  /* The word of a type, and its length. */
  const char* (*type_word)(const sash_run* run, uint32_t type, size_t* length);

  /* Calls `body` for each block of [0, count), in several threads. Blocks begin at multiples of
   * `block`, however many threads there are. Only the thread that called run() may call it. */
  void (*parallel_for)(const sash_run* run, size_t count, size_t block, sash_body body,
                       void* state);

  /* Reports an iteration (from 1), and a residual or 0. Not 0: the run shall stop; then run()
   * returns something else than 0 soon. A run that goes on 5 s later is lost: its job fails and is
   * paused, and its memory is held until it ends. */
  int (*progress)(const sash_run* run, int iteration, double residual);
  /* The same question without a report. It is cheap. */
  int (*should_stop)(const sash_run* run);

  /* The answer, by id: `count` is id_limit. One of these is called, as `output` says; it copies.
   * Not 0: the answer is refused, and the run fails with the reason.
   *   put_scores  Scores are finite. has[id] == 0: the vertex has none; NULL: all have.
   *   put_sets    Vertices with equal numbers are in one set. Numbers are below id_limit.
   *   put_depths  -1: the vertex is not reached.
   *   put_edges   `count` pairs of vertices in the window; the result lists the first by key. */
  int (*put_scores)(const sash_run* run, const double* scores, const uint8_t* has, size_t count);
  int (*put_sets)(const sash_run* run, const uint32_t* sets, size_t count);
  int (*put_depths)(const sash_run* run, const int32_t* depths, size_t count);
  int (*put_edges)(const sash_run* run, const sash_id* sources, const sash_id* targets,
                   size_t count);
  /* A figure of the whole window, one of `figures`. It is finite. */
  int (*put_figure)(const sash_run* run, const char* name, double value);
  /* The run has failed; `why` is in the log and in the API. run() returns something else than 0. */
  void (*fail)(const sash_run* run, const char* why);
};

typedef struct sash_kernel {
  size_t size;   /* sizeof(sash_kernel) */
  uint32_t abi;  /* SASH_ABI */
  uint32_t output;
  const char* name;     /* a-z 0-9 _, for results and messages */
  const char* version;
  const char* about;    /* a sentence, for people */
  /* A JSON Schema of type `object`; NULL: there are no parameters. Each of its `properties` has a
   * `type` (number, integer, boolean, string), and may have `default`, `minimum`, `maximum`,
   * `exclusiveMinimum`, `exclusiveMaximum`, `enum`, `title` and `description`. A parameter without
   * `default` is required. */
  const char* parameters;
  const char* const* figures; /* names, a-z 0-9 _, ended by NULL; NULL: none */
  /* The memory that a run takes at most. sashd counts it before the run begins. */
  uint64_t bytes_per_vertex; /* for each id below id_limit */
  uint64_t bytes_per_edge;
  /* 0: an answer was given. Otherwise the run has failed, or was stopped. */
  int (*run)(const sash_run* run);
} sash_kernel;

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const sash_kernel sash_plugin;

#ifdef __cplusplus
}
#endif

#endif
