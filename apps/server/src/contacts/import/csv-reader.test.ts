import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCsv } from "./csv-reader.ts";
import { UnreadableFile } from "./decode-text.ts";

async function read(input: string | Uint8Array, chunk = 1e9): Promise<unknown[]> {
  const bytes = Buffer.from(input);
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const records: unknown[] = [];
  for await (const record of readCsv(source())) {
    records.push(
      "fault" in record ? [record.line, { fault: record.fault }] : [record.line, ...record.fields],
    );
  }
  return records;
}

const cases: readonly (readonly [string, string, unknown[]])[] = [
  ["nothing", "", []],
  [
    "CRLF and no last line break",
    "a,b\r\n1,2",
    [
      [1, "a", "b"],
      [2, "1", "2"],
    ],
  ],
  [
    "LF",
    "a,b\n1,2\n",
    [
      [1, "a", "b"],
      [2, "1", "2"],
    ],
  ],
  [
    "CR alone",
    "a,b\r1,2\r",
    [
      [1, "a", "b"],
      [2, "1", "2"],
    ],
  ],
  ["a byte order mark", "\ufeffa,b\n", [[1, "a", "b"]]],
  ["a quoted first field after the mark", '\ufeff"a",b\n', [[1, "a", "b"]]],
  [
    "semicolons",
    'a;b\n"x,y";2\n',
    [
      [1, "a", "b"],
      [2, "x,y", "2"],
    ],
  ],
  ["tabs", "a\tb,c\td\n", [[1, "a", "b,c", "d"]]],
  ["delimiters inside quotes do not vote", '"a,b,c";d\n', [[1, "a,b,c", "d"]]],
  [
    "doubled quotes",
    'a\n"say ""hi"""\n',
    [
      [1, "a"],
      [2, 'say "hi"'],
    ],
  ],
  [
    "line breaks inside quotes, lines counted",
    'a\n"x\r\ny\nz"\nlast\n',
    [
      [1, "a"],
      [2, "x\r\ny\nz"],
      [5, "last"],
    ],
  ],
  [
    "empty lines are passed over",
    "a\n\n\r\nb\n",
    [
      [1, "a"],
      [4, "b"],
    ],
  ],
  [
    "empty fields",
    'a,,\n"",\n',
    [
      [1, "a", "", ""],
      [2, "", ""],
    ],
  ],
  [
    "a quote inside a plain field",
    'a\nx"y",z\nb\n',
    [
      [1, "a"],
      [2, { fault: "there is a quote inside a field that is not quoted" }],
      [3, "b"],
    ],
  ],
  [
    "text after a closing quote",
    'a\n"x"y\nb\n',
    [
      [1, "a"],
      [2, { fault: "there is text after a closing quote" }],
      [3, "b"],
    ],
  ],
];
for (const [name, text, expected] of cases) {
  test(`CSV: ${name}`, async () => {
    assert.deepEqual(await read(text), expected);
    assert.deepEqual(await read(text, 1), expected, "byte by byte");
  });
}

test("invalid UTF-8, a quote never closed and an endless record stop the reading and name their line", async () => {
  const stops = async (input: string | Uint8Array, line: number) =>
    assert.rejects(read(input), (error) => error instanceof UnreadableFile && error.line === line);
  await stops(Buffer.from("a\nb\n\xe9\n", "latin1"), 3);
  await stops(Buffer.from([0x61, 0x0a, 0xc3]), 2);
  await stops('a\n"never closed\n\n', 2);
  await stops(`a\n"${"x".repeat(1_100_000)}"`, 2);
});

test("everything written by the rules is read back, however it is cut into chunks", async () => {
  const field = fc.string({
    unit: fc.constantFrom("a", '"', ",", ";", "\t", "\r", "\n", " ", "ش", "🙂"),
    maxLength: 6,
  });
  const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("\n", "\r\n"),
      async (rows, chunk, end) => {
        const text = rows
          .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + end)
          .join("");
        const records = await read(text, chunk);
        assert.deepEqual(
          records.map((record) => (record as unknown[]).slice(1)),
          rows,
        );
      },
    ),
    { numRuns: 200 },
  );
});
