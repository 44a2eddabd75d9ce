"""Producers with the library that `sashd` links, called from Python."""
import ctypes
import ctypes.util

_PATIENCE_MS = 30_000
_PRODUCER = 0
_TEXT = 512
_COPY = 2  # RD_KAFKA_MSG_F_COPY


class Producer:
    """Sends records one by one, each at once."""

    def __init__(self, brokers: str, topic: str, **settings: str) -> None:
        self._kafka = ctypes.CDLL(ctypes.util.find_library("rdkafka") or "librdkafka.so.1")
        for name in ("rd_kafka_conf_new", "rd_kafka_new", "rd_kafka_topic_new",
                     "rd_kafka_init_transactions", "rd_kafka_begin_transaction",
                     "rd_kafka_commit_transaction", "rd_kafka_abort_transaction"):
            getattr(self._kafka, name).restype = ctypes.c_void_p
        self._kafka.rd_kafka_error_string.restype = ctypes.c_char_p
        text = ctypes.create_string_buffer(_TEXT)
        conf = ctypes.c_void_p(self._kafka.rd_kafka_conf_new())
        for key, value in {"bootstrap.servers": brokers, "linger.ms": "0", **settings}.items():
            assert self._kafka.rd_kafka_conf_set(conf, key.encode(), value.encode(), text,
                                                 _TEXT) == 0, text.value
        self._producer = ctypes.c_void_p(self._kafka.rd_kafka_new(_PRODUCER, conf, text, _TEXT))
        assert self._producer, text.value
        self._topic = ctypes.c_void_p(
            self._kafka.rd_kafka_topic_new(self._producer, topic.encode(), None))

    def __enter__(self) -> "Producer":
        return self

    def __exit__(self, *_: object) -> None:
        self._kafka.rd_kafka_topic_destroy(self._topic)
        self._kafka.rd_kafka_destroy(self._producer)

    def send(self, record: bytes) -> None:
        """Sends to partition 0; the record is also its key. It returns before the broker has it."""
        size = ctypes.c_size_t(len(record))  # with an int, the upper half would be undefined
        assert self._kafka.rd_kafka_produce(self._topic, 0, _COPY, record, size, record, size,
                                            None) == 0

    def flush(self) -> None:
        """Returns when the broker has all records."""
        assert self._kafka.rd_kafka_flush(self._producer, _PATIENCE_MS) == 0


class Transactions(Producer):
    """`with Transactions(brokers, topic) as producer: producer.transaction(lines,
    commit=False)`."""

    def __init__(self, brokers: str, topic: str) -> None:
        super().__init__(brokers, topic, **{"transactional.id": f"of-{topic}"})

    def __enter__(self) -> "Transactions":
        self._call("rd_kafka_init_transactions", _PATIENCE_MS)
        return self

    def transaction(self, lines: bytes, commit: bool) -> None:
        """Produces a record for each line."""
        self.begin(lines)
        self.end(commit)

    def begin(self, lines: bytes) -> None:
        """Returns when the records are in the topic, and hidden."""
        self._call("rd_kafka_begin_transaction")
        for line in lines.splitlines():
            self.send(line)
        self.flush()

    def end(self, commit: bool) -> None:
        self._call("rd_kafka_commit_transaction" if commit else "rd_kafka_abort_transaction",
                   _PATIENCE_MS)

    def _call(self, name: str, *arguments: int) -> None:
        error = getattr(self._kafka, name)(self._producer, *arguments)
        if error:
            raise RuntimeError(
                f"{name}: {self._kafka.rd_kafka_error_string(ctypes.c_void_p(error)).decode()}")
