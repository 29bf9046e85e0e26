import fc from "fast-check";
import { resolve, type Operation, type Schema } from "./document.ts";

/** Values that a schema allows, its bounds among them. */
export function valueOf(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf && !schema.properties) return fc.oneof(...schema.anyOf.map(valueOf));
  const types = [schema.type ?? []].flat();
  if (types.length !== 1) return fc.jsonValue({ maxDepth: 3 });
  switch (String(types[0])) {
    case "string":
      return textIn(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -(2 ** 40), max: schema.maximum ?? 2 ** 40 });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 8 });
    default:
      return schema.properties
        ? fc.record(
            Object.fromEntries(
              Object.entries(schema.properties).map(([key, one]) => [key, valueOf(one)]),
            ),
            { requiredKeys: [...(schema.required ?? [])] },
          )
        : fc.dictionary(
            fc.string({ unit: "grapheme", maxLength: 20 }),
            fc.jsonValue({ maxDepth: 3 }),
            {
              maxKeys: 6,
            },
          );
  }
}

const SAMPLES = [
  "",
  "  ",
  " a@b.co ",
  "سارة@مثال.كويت",
  "+965 (50) 00-0001",
  "00965.5000",
  "٩٦٥",
] as const;

/** Texts that a pattern allows: kept of texts that might fit, or, where no sample fits (an id), made from the pattern. */
function textIn({ pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> {
  const any = textOf(minLength, maxLength);
  if (pattern === undefined) return any;
  const regex = new RegExp(pattern, "u");
  const fits = (text: string) => {
    const length = Array.from(text).length;
    return regex.test(text) && length >= minLength && length <= maxLength;
  };
  if (!SAMPLES.some(fits)) return fc.stringMatching(regex).filter(fits);
  const likely = fc.oneof(
    fc.constantFrom(...SAMPLES),
    fc.emailAddress({ size: "small" }),
    fc.stringMatching(/^ ?\+?[0-9][0-9 ().-]{0,36}$/),
    any,
  );
  return likely.filter(fits);
}

function textOf(min: number, max: number): fc.Arbitrary<string> {
  const letters = fc.constantFrom("a", "é", "ش", "🙂", "%", "_", " ", "\\", "'");
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.string({ unit: "grapheme", minLength: min, maxLength: Math.min(max, 60) }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(letters, fc.constantFrom(min, max)).map(([one, n]) => one.repeat(n)),
    },
    { weight: 1, arbitrary: fc.constantFrom("a@b.co", "+20 100 123-4567", "201001234567") },
  );
}

/** Bodies that begin as the document's example: some members replaced by others that fit, some left out. */
export function bodyOf({ body, example }: Operation): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(body?.properties ?? {});
  const change = members.map(([key, schema]) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({ [key]: example[key] }) },
      { weight: 2, arbitrary: valueOf(schema).map((value) => ({ [key]: value })) },
      { weight: 1, arbitrary: fc.constant({}) },
    ),
  );
  return fc.tuple(...change).map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
}

const WRONG = [null, true, 0, -1, 2 ** 53, 1e308, 1.5, "", "x", [], {}, [null], { a: { b: [] } }];
/** Members that no caller may set. */
const STRANGE = [
  "id",
  "workspaceId",
  "optedOut",
  "createdAt",
  "status",
  "lastSeenAt",
  "channelType",
  "source",
  "toString",
];

type Body = Record<string, unknown>;
type Step = (body: Body) => Body;

/** One step away from a body: dropped, of another type, one past a bound, with more members, far too long. */
export function stepOf({ body }: Operation): fc.Arbitrary<Step> {
  const members = Object.entries(body?.properties ?? {});
  if (members.length === 0) return fc.constant<Step>((one) => one);
  const named = fc.constantFrom(...members);
  const bounds = members.flatMap(([key, { minLength = 0, maxLength }]) =>
    [minLength - 1, minLength, maxLength ?? 50, (maxLength ?? 50) + 1, 6000]
      .filter((length) => length >= 0)
      .flatMap((length) =>
        ["1", "🙂", "ش"].map((letter) => ({ key, text: letter.repeat(length) })),
      ),
  );
  const put =
    (key: string, value: unknown): Step =>
    (one) => ({ ...one, [key]: value });
  return fc.oneof(
    named.map(
      ([key]): Step =>
        (one) =>
          Object.fromEntries(Object.entries(one).filter(([name]) => name !== key)),
    ),
    fc.tuple(named, fc.constantFrom(...WRONG)).map(([[key], value]) => put(key, value)),
    fc.constantFrom(...bounds).map(({ key, text }) => put(key, text)),
    fc
      .tuple(fc.constantFrom(...STRANGE), fc.jsonValue({ maxDepth: 2 }))
      .map(([key, value]) => put(key, value)),
    fc.tuple(named, fc.jsonValue({ maxDepth: 4 })).map(([[key], value]) => put(key, value)),
  );
}

/** What a body may be on the wire beyond JSON that is merely wrong, and what must come of it. */
export interface Wire {
  readonly name: string;
  readonly payload: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The statuses that are right; none: whatever the document promises. */
  readonly right?: readonly number[];
}

/** Turns the text of a fine body into what parsers choke on. */
export function wiresOf(body: Record<string, unknown>): readonly Wire[] {
  const json = JSON.stringify(body);
  const inside = json.slice(1, -1);
  const more = inside === "" ? "" : `,${inside}`;
  const with_ = (member: string) => Buffer.from(`{${member}${more}}`);
  const bad = [400];
  return [
    { name: "__proto__", payload: with_(`"__proto__":{"optedOut":true,"text":"x","message":"x"}`) },
    { name: "constructor", payload: with_(`"constructor":{"prototype":{"email":"p@q.co"}}`) },
    {
      name: "NUL",
      payload: with_(`"name":"a\\u0000","text":"\\u0000","mobile":"\\u0000"`),
    },
    { name: "NUL in a name", payload: with_(`"\\u0000":1`), right: bad },
    { name: "NUL as a byte", payload: Buffer.from(json.replace("{", "{\0")), right: bad },
    { name: "half a surrogate pair", payload: with_(`"anything":"\\ud83d"`), right: bad },
    { name: "half a pair, the other half", payload: with_(`"anything":["\\udE42"]`), right: bad },
    { name: "1e400", payload: with_(`"attributes":{"n":1e400}`) },
    { name: "-1e400", payload: with_(`"x":[-1e400]`) },
    { name: "400 digits", payload: with_(`"attributes":{"n":${"9".repeat(400)}}`) },
    { name: "30 digits", payload: with_(`"attributes":{"n":123456789012345678901234567890}`) },
    {
      name: "10,000 arrays",
      payload: with_(`"attributes":${"[".repeat(10_000)}${"]".repeat(10_000)}`),
      right: bad,
    },
    {
      name: "10,000 objects",
      payload: with_(`"attributes":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
      right: bad,
    },
    { name: "100,000 open brackets", payload: Buffer.from("[".repeat(100_000)), right: bad },
    {
      name: "2,000 members",
      payload: with_(Array.from({ length: 2000 }, (_, i) => `"m${i}":${i}`).join()),
    },
    { name: "members twice", payload: Buffer.from(`{${inside}${more}}`) },
    { name: "BOM", payload: Buffer.from(`\ufeff${json}`) },
    { name: "two BOMs", payload: Buffer.from(`\ufeff\ufeff${json}`), right: bad },
    { name: "UTF-16", payload: Buffer.from(`\ufeff${json}`, "utf16le"), right: bad },
    {
      name: "invalid UTF-8",
      payload: Buffer.concat([
        Buffer.from(json.slice(0, 2)),
        Buffer.from([0xc3, 0x28]),
        Buffer.from(json.slice(2)),
      ]),
      right: bad,
    },
    {
      name: "overlong UTF-8",
      payload: Buffer.concat([
        Buffer.from(`{"n":"`),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from(`"${more}}`),
      ]),
      right: bad,
    },
    {
      name: "a surrogate in UTF-8",
      payload: Buffer.concat([
        Buffer.from(`{"n":"`),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from(`"${more}}`),
      ]),
      right: bad,
    },
    { name: "cut short", payload: Buffer.from(json.slice(0, -1)), right: bad },
    { name: "two documents", payload: Buffer.from(json + json), right: bad },
    { name: "empty", payload: Buffer.alloc(0), right: bad },
    { name: "blank", payload: Buffer.from(" \n"), right: bad },
    { name: "NaN", payload: with_(`"n":NaN`), right: bad },
    { name: "a comment", payload: with_(`/* */"n":1`), right: bad },
    {
      name: "text/plain",
      payload: Buffer.from(json),
      headers: { "content-type": "text/plain" },
      right: [415],
    },
    {
      name: "a form",
      payload: Buffer.from("email=a@b.co"),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      right: [415],
    },
    {
      name: "multipart",
      payload: Buffer.from("--x--"),
      headers: { "content-type": "multipart/form-data; boundary=x" },
      right: [415],
    },
    {
      name: "a type that is none",
      payload: Buffer.from(json),
      headers: { "content-type": "json" },
      right: [415],
    },
    {
      name: "compressed",
      payload: Buffer.from(json),
      headers: { "content-encoding": "gzip" },
      right: [400, 415],
    },
    { name: "256 KiB and a byte", payload: Buffer.from(json.padEnd(256 * 1024 + 1)), right: [413] },
  ];
}
