# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that are JSON, that are not, and that a reader may take or leave. usage: test_json.py SAMARA"""
import json
import unittest

from serving import START, Client, Server

# Each is the value of a field: VALID must be read (the server then only says that it knows no such field), BROKEN must be
# refused as no JSON, EITHER may be both, but is answered in the form of an error and harms nobody.
VALID = [
    b"null", b"true", b"false", b"0", b"-0", b"1", b"-1", b"123456789", b"9007199254740993", b"0.5", b"-0.5", b"1.25e2", b"1E2",
    b"1e+2", b"1e-2", b"0e1", b"0e+1", b"0E-0", b"0.0000000000000000000000000000000000000000000001", b"123e-65",
    b'""', b'"a"', b'" "', b'"/"', b'"\\/"', b'"\\\\"', b'"\\""', b'"\\b\\f\\n\\r\\t"', b'"\\u0041"', b'"\\u00e9"', b'"\\uABCD"',
    b'"\\uabcd"', b'"\\ud83d\\ude00"', b'"\\uDBFF\\uDFFF"', b'"\\u2028\\u2029"', b'"\\u0001"', b'"\\uFFFE"', b'"\x7f"',
    "\"\u00e9\"".encode(), "\"\u20ac\"".encode(), "\"\U0001f600\"".encode(), "\"\ufeff\"".encode(), "\"\u2028\"".encode(),
    "\"\U0010fffe\"".encode(), b'"[],{}:"', b'"// no comment"', b'"' + b"x" * 50000 + b'"',
    b"[]", b"[ ]", b"[[]]", b"[1,2]", b"[1 , 2]", b"[\n1,\r\n2\t]", b"[null,[],{}]", b'[""]', b"[1,null,true,\"a\",{}]",
    b"[" * 500 + b"]" * 500, b"[" + b",".join([b"0"] * 10000) + b"]",
    b"{}", b"{ }", b'{"":0}', b'{"a":{}}', b'{"a":1,"b":2}', b'{ "a" : 1 , "b" : 2 }', b'{"a":1,"A":2}', b'{"\\u0061":1}',
    b"1e0", b"10", b"-10.5E+3", b"1.0", b"2e-0", b"20e1", b"-0.0", b"-0e-1", b"1.7976931348623157e308", b"5e-324", b"-9007199254740993",
    b'"\\u0020"', b'"\\u0022\\u005C"', b'"\\uFDD0"', b'"\\u200B"', b'"\\uDBFF\\uDFFE"', b'"\\\\u0000"', b'"\\"\\\\/"', b'"\\ud834\\udd1e"',
    "\"\uffee\ua66d\"".encode(), "\"\u0800\"".encode(), "\"\ud7ff\ue000\"".encode(), b'" a "', b'"\\n"', b'"null"', b'"1"',
    b"[false]", b"[null]", b"[1\n]", b"[ 1]", b"[2] ", b'["a","b"]', b"[[[]],[]]", b'[{"a":[]}]', b'{"a":[]}', b'{"a":null}', b'{"a\\u0062":1}',
    b'{\n"a":"b"\n}', b'{"min":-1.0e+28,"max":1.0e+28}',
    b'{"a\\"b":1}', b'{"long":"' + b"y" * 1000 + b'"}', b'{"a":' * 300 + b"1" + b"}" * 300,
]
BROKEN = [
    b"", b" ", b"nul", b"nulll", b"Null", b"NULL", b"tru", b"True", b"fals", b"undefined", b"NaN", b"-NaN", b"nan", b"Infinity",
    b"-Infinity", b"inf", b"None", b"a", b"'a'", b"`a`", b"a\xc3\xa9",
    b"+1", b"01", b"-01", b"00", b"1.", b".5", b"-.5", b"-", b"--1", b"1..2", b"1.2.3", b"1e", b"1e+", b"1e-", b"1E", b"e1", b"1ee2",
    b"1e2e3", b"0x1", b"0x", b"1a", b"1_000", b"1 000", b"1,000", b"0b1", b"0o7", b"1+2", b"- 1", b"1.e1", b"-a", b"\xef\xbc\x91",
    b'"', b'"a', b'a"', b'"a""', b'"a" "b"', b'"\\"', b'"\\x41"', b'"\\a"', b'"\\0"', b'"\\u"', b'"\\u1"', b'"\\u12"', b'"\\u123"',
    b'"\\u12G4"', b'"\\U0041"', b'"\\uD83D\\u"', b'"\\uD83D\\', b'"\\ "', b"\"\\'\"", b'"\\\n"', b'"\n"', b'"\t"', b'"\r"', b'"\x00"',
    b'"\x1f"', b'"\\', b"\\u0022a\\u0022", b'\xe2\x80\x9ca\xe2\x80\x9d',
    b'"\x80"', b'"\xff"', b'"\xc3"', b'"\xc3("', b'"\xc0\xaf"', b'"\xe0\x80\xaf"', b'"\xe2\x82"', b'"\xed\xa0\x80"', b'"\xed\xbf\xbf"',
    b'"\xf0\x80\x80\xaf"', b'"\xf4\x90\x80\x80"', b'"\xf5\x80\x80\x80"', b'"\xf8\x88\x80\x80\x80"', b'"\xfe\xfe\xff\xff"', b"\xe9",
    b"[", b"]", b"[1", b"[1,", b"[1,]", b"[,1]", b"[,]", b"[1,,2]", b"[1 2]", b"[1;2]", b"[1:2]", b"[1}", b"{1]", b"[[1]", b"[1]]",
    b"[a]", b"['a']", b'["a]', b"[1,2", b"[\"a\",\n1", b"[-]", b"[1\x002]", b"[\xff]", b"[*]", b"[1]x", b"[" * 3000,
    b"{", b"}", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}', b'{,}', b'{"a"}', b'{"a",1}', b'{"a":}', b'{:1}', b'{a:1}',
    b"{'a':1}", b'{1:1}', b'{null:1}', b'{"a":1 "b":2}', b'{"a":1,,"b":2}', b'{"a"::1}', b'{"a":1}}', b'{"a":1]', b'{["a"]:1}',
    b'{"a":1,"a":2}', b'{"a":1,"\\u0061":2}', b'{"a" 1}', b'{"a"=1}', b'{"a":1;"b":2}', b'{"\xff":1}', b'{"a', b'{"a":"b}',
    b"-1.0.", b"2.e3", b"2.e-3", b"2.e+3", b"9.e+", b"0e", b"0e+", b"0.3e", b"0.3e+", b"1.0e", b"1.0e-", b"1eE2", b"-2.", b"0.e1", b"-1x", b"1\xe5",
    b"+Inf", b"++1234", b"1.8011670033376514H-308", b"\xff1", b'"\\uD800\\u1"', b'"\\u00A"', b'"\\\xe5"', b'["\\"', b'["\x00"]', b"[1,\n1\n,1", b"[{}", b'["a"',
    b'["": 1]', b'["a",,"b"]', b'[""],', b"[[],", b"[1,}", b'{"a":"b",,"c":"d"}', b'{"a":/*c*/"b"}', b'{"x",null}', b"{9999E9999:1}", b'{"a":"b"}/**/',
    b'{"a":"b"}#', b'{"a":"b"}//', b"<null>", b"[\x0c]", b"[fals]", b"[nul]", b"*", b'{"a": true} "x"',
    b"1 // a", b"/* a */ 1", b"1 # a", b"<1>", b"{{}}", b"(1)", b"${1}", b"1\x00", b"\x001", b"\x0c1", b"1\x0b", b"\xc2\xa01",
    b"\xe2\x81\xa01", b'{"a":' * 3000, b"[1]" * 2, b"@",
]
EITHER = [
    b"0.4e00669999999999999999999999999999999999999999999999999999999999999999999969999999006", b"-1e+9999", b"1.5e+9999", b"-123123e100000",
    b'"\\uD888\\u1234"', b'"\\uDd1ea"', b'"\\uD800\\n"', b'"\\u0000\\u0000"',
    b"1e400", b"-1e400", b"1e9999999999", b"1e-400", b"0." + b"0" * 500 + b"1", b"123456789012345678901234567890", b"-" + b"9" * 300,
    b"9" * 20000, b"1." + b"3" * 20000, b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808",
    b"-9223372036854775809", b'"\\u0000"', b'"a\\u0000b"', b'{"\\u0000":1}', b'"\\ud800"', b'"\\udc00"', b'"\\ud800a"',
    b'"\\ud800\\ud800"', b'"\\udc00\\ud800"', b'"\\ud83d\\u0041"', b'"\\uDEAD"', "\"\uffff\"".encode(), b'{"__proto__":1}',
    b"[" * 3000 + b"]" * 3000, b"[" * 30000 + b"]" * 30000, b'{"a":' * 3000 + b"1" + b"}" * 3000, b'[{"a":' * 4000 + b"1" + b"}]" * 4000,
]
# Whole bodies. What is no object is no question.
NO_OBJECT = [b"[]", b"1", b'"fen"', b"null", b"true", b"[{}]", b" [] ", b"[" * 100 + b"]" * 100]
NO_BODY = [b" ", b"\n", b"\x00", b"\xef\xbb\xbf{}", b"{}\x00", b"{} {}", b"{}{}", b"{},", b"{}]", b"{}a", b"fen=a", b"<fen/>",
           "{}".encode("utf-16"), "{}".encode("utf-16-be"), "{}".encode("utf-32-le"), b"\xff\xfe", b"\x1f\x8b\x08\x00", b"{\"fen\""]


class Json(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--engines", "1", "--hash", "1", "--max-time", "1000")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0 and cls.server.complaints == "", cls.server.complaints

    def setUp(self):
        self.client = Client(self.server.port)
        self.addCleanup(self.client.connection.close)

    def verdict(self, body):
        """The code of the refusal, or ok. Whatever was sent, the answer is one of ours, and the connection lives on."""
        answer = self.client.post("/move", body, {"Content-Type": "application/json"})
        self.assertIn(answer.status, (200, 400, 422), body[:60])
        if answer.status == 200:
            return "ok"
        self.assertEqual(answer.json["status"], "error")
        self.assertTrue(answer.json["error"]["message"].endswith("."))
        return answer.json["error"]["code"]

    def faults(self, values, wanted):
        got = [(value, self.verdict(b'{"extra": ' + value + b"}")) for value in values]
        return [(value[:60], code) for value, code in got if code not in wanted]

    def test_json_is_read(self):
        self.assertEqual(self.faults(VALID, {"unknown_field"}), [])

    def test_other_things_are_not(self):
        self.assertEqual(self.faults(BROKEN, {"bad_json"}), [])

    def test_what_may_be_both_harms_nobody(self):
        self.assertEqual(self.faults(EITHER, {"bad_json", "unknown_field"}), [])
        self.assertEqual(self.verdict(json.dumps({"fen": START, "depth": 1})), "ok")

    def test_whole_bodies(self):
        self.assertEqual({body: self.verdict(body) for body in NO_OBJECT + NO_BODY},
                         {body: "bad_json" for body in NO_OBJECT + NO_BODY})
        self.assertEqual(self.verdict(b" \t\r\n{ } \n"), "missing_field")
        self.assertEqual(self.client.post("/move", b"").status, 400)

    def test_words_may_be_written_in_escapes(self):
        odd = "".join(f"\\u{ord(c):04x}" for c in START)
        self.assertEqual(self.verdict(b'{"\\u0066en": "' + odd.encode() + b'", "d\\u0065pth": 1}'), "ok")

    def test_every_cut_of_a_good_body_is_refused(self):
        body = json.dumps({"fen": START, "depth": 1, "moves": ["e2e4"], "chess960": False}).encode()
        self.assertEqual(self.verdict(body), "ok")
        self.assertEqual({self.verdict(body[:i]) for i in range(1, len(body))}, {"bad_json"})

    def test_every_wrong_byte_in_a_good_body_gets_an_answer(self):
        body = json.dumps({"fen": START, "depth": 1}).encode()
        codes = set()
        for i in range(len(body)):
            for byte in (0, 0x0a, 0x20, 0x22, 0x2c, 0x31, 0x5c, 0x7b, 0x7d, 0x80, 0xff):
                codes.add(self.verdict(body[:i] + bytes([byte]) + body[i + 1:]))
        self.assertLessEqual({"bad_json", "unknown_field", "bad_fen", "ok"}, codes)


if __name__ == "__main__":
    unittest.main()
