#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation over the Model Context Protocol. usage: test_mcp.py SAMARA"""
import json
import subprocess
import sys
import unittest

SAMARA = sys.argv.pop(1)
SCHOLAR = 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3'


class Conversation(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen([SAMARA, 'mcp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0

    def tearDown(self):
        self.process.stdin.close()
        self.assertEqual(self.process.wait(60), 0)
        self.process.stdout.close()

    def say(self, text):
        self.process.stdin.write(text + '\n')
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.say(json.dumps({'jsonrpc': '2.0', 'id': self.number, 'method': method, 'params': params}))
        answer = json.loads(self.process.stdout.readline())
        self.assertEqual((answer['jsonrpc'], answer['id']), ('2.0', self.number))
        return answer

    def tool(self, name, **arguments):
        result = self.ask('tools/call', name=name, arguments=arguments)['result']
        text = result['content'][0]['text']
        return text if result['isError'] else json.loads(text)

    def test_the_handshake(self):
        hello = self.ask('initialize', protocolVersion='2024-11-05', capabilities={}, clientInfo={'name': 't'})['result']
        self.assertEqual((hello['protocolVersion'], hello['serverInfo']['name']), ('2024-11-05', 'samara'))
        self.say('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # no answer comes
        self.assertEqual(self.ask('ping')['result'], {})
        tools = {tool['name']: tool for tool in self.ask('tools/list')['result']['tools']}
        self.assertEqual(set(tools), {'best_move', 'analyse', 'explain', 'review', 'legal_moves'})
        self.assertEqual(tools['review']['inputSchema']['required'], ['pgn'])

    def test_the_tools(self):
        self.assertEqual(len(self.tool('legal_moves')['moves']), 20)
        self.assertEqual(len(self.tool('legal_moves', moves=['e4', 'e7e5'])['moves']), 29)
        mate = self.tool('best_move', fen='6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', nodes=2000)
        self.assertEqual((mate['best'], mate['lines'][0]['score']), ('Ra8#', {'mate': 1}))
        self.assertEqual(len(self.tool('analyse', nodes=5000, lines=2)['lines']), 2)
        why = self.tool('explain', fen=SCHOLAR, move='Nf6')
        self.assertIn('4. Qxf7#', why['text'])
        report = self.tool('review', pgn='1. f3 e5 2. g4 Qh4# 0-1', nodes=2000)
        self.assertEqual(report['moves'][2]['judgement'], 'blunder')

    def test_what_is_wrong_is_said(self):
        self.assertIn('e9', self.tool('explain', move='e9'))
        self.assertIn('over', self.tool('best_move', moves=['f3', 'e5', 'g4', 'Qh4#']))
        self.assertIn('language', self.tool('explain', move='e4', language='xx'))
        self.assertEqual(self.ask('tools/call', name='nothing')['error']['code'], -32602)
        self.assertEqual(self.ask('nothing')['error']['code'], -32601)
        self.say('this is no JSON')
        self.assertEqual(json.loads(self.process.stdout.readline())['error']['code'], -32700)


if __name__ == '__main__':
    unittest.main()
