// SPDX-License-Identifier: GPL-3.0-or-later
/* The parts of /docs that need no browser. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf, type Route, routesOf, typeText, urlOf } from '../src/docs/docs.ts';

const described = {
  info: { title: '', version: '', description: '' }, tags: [], components: { schemas: {} },
  paths: { '/a/{id}': { parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }], get: { operationId: 'a', tags: [], summary: '', responses: {}, parameters: [{ name: 'fen', in: 'query', schema: { type: 'string' } }] } } },
};

test('a route has the parameters of its path and its own', () => {
  const [route] = routesOf(described as never) as [Route];
  assert.deepEqual([route.method, route.parameters.map(p => p.name)], ['GET', ['id', 'fen']]);
  assert.equal(urlOf(route, new Map([['id', '7'], ['fen', '8/8 w - -']])), '/a/7?fen=8/8+w+-+-');
  assert.equal(urlOf(route, new Map()), '/a/1');
});

test('types in words', () => {
  assert.equal(typeText({ type: 'integer', minimum: 1, maximum: 60, default: 3 }, described as never), 'integer 1..60, default 3');
  assert.equal(typeText({ type: 'array', items: { $ref: '#/components/schemas/Move' } }, described as never), 'list of Move');
});

test('lines for a shell', () => {
  assert.equal(curlOf('http://h', 'GET', '/x', ''), "curl -s 'http://h/x'");
  assert.equal(curlOf('http://h', 'DELETE', '/x', ''), "curl -s -X DELETE 'http://h/x'");
  assert.equal(curlOf('http://h', 'POST', '/x', "{\n \"a\": \"it's\"\n}"), "curl -s 'http://h/x' -H 'Content-Type: application/json' -d '{ \"a\": \"it'\\''s\" }'");
});
