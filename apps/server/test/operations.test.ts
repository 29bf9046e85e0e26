import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { MEMBER_ROLES, OPERATOR, SYSTEM, type Actor } from "../src/actor.ts";
import { AppError } from "../src/errors.ts";
import { everyOperation } from "../src/operations/all.ts";
import { POLICIES } from "../src/policies.ts";
import { SCOPES, type Scope } from "../src/wire/words.ts";
import { AUDIT_ACTIONS } from "../src/workspaces/audit-actions.ts";
import { write } from "../src/write.ts";

const SOURCE = path.join(import.meta.dirname, "../src");

/** A declaration at the top level of a file, with what it names. */
interface Declaration {
  /** "folder/file.ts name". */
  readonly id: string;
  readonly text: string;
  /** The write operation that it makes with `write()` or `perform()`. */
  readonly operation: string | undefined;
  /** Its first argument is the actor. */
  readonly takesActor: boolean;
  /** It holds a statement that changes rows. */
  readonly changesRows: boolean;
}

const FILES = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => {
      const text = readFileSync(path.join(SOURCE, file), "utf8");
      return [file, text.replaceAll(/^\s*(\/\/.*|\/?\*.*)$/gm, "")];
    }),
);

const DECLARED = new Map([...FILES].map(([file, text]) => [file, declarationsOf(file, text)]));
const IMPORTED = new Map([...FILES].map(([file, text]) => [file, importsOf(file, text)]));
const ALL = [...DECLARED.values()].flatMap((one) => [...one.values()]);

/** The write that a declaration makes: by name, or by a declaration of `operations/` that is no read. */
function operationIn(text: string): string | undefined {
  const [, byName] = /^export const \w+ = write\(\s*"([^"]+)"/.exec(text) ?? [];
  const [, name] = /^export const \w+ = perform\(\s*\w+\.(\w+)/.exec(text) ?? [];
  const [, declared] = everyOperation().find(([one]) => one === name) ?? [];
  return byName ?? (declared?.trace === null ? undefined : declared?.name);
}

function declarationsOf(file: string, text: string): Map<string, Declaration> {
  const starts = [
    ...text.matchAll(
      /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|const|let|class) (\w+)/gm,
    ),
  ];
  return new Map(
    starts.map((start, index) => {
      const [, name = ""] = start;
      const own = text.slice(start.index, starts[index + 1]?.index);
      return [
        name,
        {
          id: `${file} ${name}`,
          text: own,
          operation: operationIn(own),
          takesActor: /^(?:export )?(?:async )?function\*? \w+(?:<[^>]*>)?\(\s*actor: Actor/.test(
            own,
          ),
          changesRows: /\b(?:insert into|delete from|update \w+\s+(?:as )?(?:\w+\s+)?set)\b/.test(
            own,
          ),
        },
      ];
    }),
  );
}

/** The values that a file takes from others, by the name that it gives them. Also those that it passes on or loads late. */
function importsOf(file: string, text: string): Map<string, { file: string; name: string }> {
  const found = new Map<string, { file: string; name: string }>();
  const patterns = [
    /^(?:import|export) \{([^}]*)\} from "(\.[^"]+)"/gm,
    /\{([^{}]*)\} = await import\("(\.[^"]+)"\)/g,
  ];
  for (const [, names = "", target = ""] of patterns.flatMap((one) => [...text.matchAll(one)]))
    for (const part of names.split(",").map((one) => one.trim())) {
      const [name = "", as = name] = part.split(/ as |: /);
      if (name === "" || name.startsWith("type ")) continue;
      const to = path.join(path.dirname(file), target);
      found.set(as, { file: to, name });
    }
  for (const [, target = "", name = ""] of text.matchAll(/import\("(\.[^"]+)"\)\)\.(\w+)/g))
    found.set(name, { file: path.join(path.dirname(file), target), name });
  return found;
}

/** What a name means in a file, behind all that only pass it on. */
function resolve(file: string, name: string): Declaration | undefined {
  const own = DECLARED.get(file)?.get(name);
  const from = own ? undefined : IMPORTED.get(file)?.get(name);
  return own ?? (from && resolve(from.file, from.name));
}

/** The declarations that one names. It may name more than it calls, never less, but for what it is handed. */
function namedBy({ id, text }: Declaration): Declaration[] {
  const [file = ""] = id.split(" ");
  const words = new Set(text.match(/(?<![.\w])[A-Za-z_]\w*/g));
  return [...words].flatMap((word) => resolve(file, word) ?? []).filter((one) => one.id !== id);
}

/** Whether a declaration comes to one that `wanted` names, on a way that `stops` does not end. */
function comesTo(
  from: Declaration,
  wanted: (one: Declaration) => boolean,
  stops: (one: Declaration) => boolean,
): boolean {
  const seen = new Set([from.id]);
  for (const waiting = [from]; ;) {
    const one = waiting.pop();
    if (!one) return false;
    if (wanted(one)) return true;
    for (const next of stops(one) ? [] : namedBy(one))
      if (!seen.has(next.id)) waiting.push(seen.add(next.id) && next);
  }
}

/**
 * Neither a read nor a write: a function that changes something and knows no actor. A function that takes the actor may
 * join several writes; what it changes goes through them.
 */
function isUnknown(one: Declaration): boolean {
  if (one.operation !== undefined) return false;
  const isWrite = ({ operation }: Declaration) => operation !== undefined;
  const changes = ({ changesRows }: Declaration) => changesRows;
  if (one.takesActor) return comesTo(one, changes, isWrite);
  return comesTo(
    one,
    (other) => changes(other) || isWrite(other),
    () => false,
  );
}

const OF_ASSISTANTS = "counts what a key read and sent, for the limits of assistants";

/**
 * The doors of people and programs. Customers and platforms, who are no actors, have doors of their own, and a backup is
 * restored before anybody works with it.
 */
const isEdge = (file: string): boolean =>
  /^(?:http|cli)\//.test(file) &&
  !/^http\/(?:chat|hooks|sandbox)\/|^cli\/halt-everything\.ts/.test(file);
const isDomain = ({ id }: Declaration): boolean =>
  !/^(?:(?:http|cli|lib|db)\/|[\w-]+\.ts)/.test(id);

/** What the edge calls that is neither, and why it may. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "api-keys/assistant-marks.ts countSending": OF_ASSISTANTS,
  "api-keys/assistant-marks.ts recordReads": OF_ASSISTANTS,
  "api-keys/assistant-marks.ts uncountSending": OF_ASSISTANTS,
  "bots/cases/work-cases.ts workCases": "answers of a run that a write began",
  "contacts/import/import-contacts.ts importContacts": "tries a file and takes each batch back",
  "imports/look-at-import.ts lookAtImport": "tries the first rows and takes them back",
  "master-key/rotate-master-key.ts rotateMasterKey":
    "the operator's alone, of no workspace: the command reads the key from the machine",
  "messages/record/mark-read.ts markRead":
    "asks for the policy of conversation.update first, and shows the customer what that changes",
  "persons/run-erasures.ts runErasureBatch": "a batch of what a write began",
  "segments/run-bulk-jobs.ts runBulkBatch": "a batch of what a write began",
  "sessions/sign-in-member.ts signedInBy":
    "a session that is used lasts longer, which nobody decides",
  "workspaces/prove-person.ts provePerson":
    "a right password changes nothing; a wrong one is recorded by a write of Parley itself",
  "sandbox/demo.ts resetDemo": "the demo makes its workspace itself, as its own actor",
  "sandbox/say-as-visitor.ts sayAsVisitor": "a customer writes, and is no actor",
};

test("each operation of the policies is declared once, and no other; a write may have the door of programs besides", () => {
  const declared = (making: RegExp) =>
    ALL.flatMap(({ operation, text }) => (making.test(text) ? (operation ?? []) : []));
  const [writes, doors] = [declared(/= write\(/), declared(/= perform\(/)];
  for (const names of [writes, doors]) assert.deepEqual(names.length, new Set(names).size);
  assert.deepEqual([...new Set([...writes, ...doors])].sort(), [...POLICIES.keys()].sort());
});

test("the edge calls writes, which know their actor, and reads, which change nothing", () => {
  const unknown = new Set<string>();
  for (const [file, names] of IMPORTED)
    if (isEdge(file))
      for (const { file: to, name } of names.values()) {
        const one = resolve(to, name);
        if (one && isDomain(one) && isUnknown(one)) unknown.add(one.id);
      }
  assert.deepEqual([...unknown].sort(), Object.keys(EXCEPTIONS).sort());
});

test("the guide names every action of the audit", () => {
  const guide = readFileSync(path.join(SOURCE, "../../../docs/operations.md"), "utf8");
  assert.deepEqual(
    AUDIT_ACTIONS.filter((action) => !guide.includes(`\`${action}\``)),
    [],
  );
});

test("each operation admits members by role, keys by scope, bots where it says so, and nobody else", async () => {
  for (const [operation, { roles, scope, otherScopes = [], bots }] of POLICIES) {
    const call = write(operation, async () => "done");
    const may = async (actor: Actor) =>
      call(actor).catch((error: unknown) => error instanceof AppError && error.code);
    for (const actor of [OPERATOR, SYSTEM]) assert.equal(await may(actor), "done", operation);
    for (const role of MEMBER_ROLES)
      assert.equal(
        await may({ kind: "member", memberId: "m", role }),
        roles.includes(role) ? "done" : "FORBIDDEN",
        `${operation} as ${role}`,
      );
    assert.equal(await may({ kind: "bot", botId: "b" }), bots ? "done" : "FORBIDDEN", operation);
    const withAll = scope === undefined ? "FORBIDDEN" : "done";
    assert.equal(await may(key([])), withAll, `${operation} by a key without scopes`);
    assert.equal(await may(key(SCOPES)), withAll, `${operation} by a key with every scope`);
    for (const one of SCOPES) {
      const refused = scope === undefined ? "FORBIDDEN" : `MISSING_SCOPE:${scope}`;
      // Whoever may write may draft.
      const asked = [scope, ...otherScopes];
      const opened =
        asked.includes(one) || asked.some((of) => of === one.replace(/:write$/, ":draft"));
      assert.equal(await may(key([one])), opened ? "done" : refused, `${operation}, ${one}`);
    }
  }
});

const key = (scopes: readonly Scope[]): Actor => ({
  kind: "key",
  keyId: "k",
  publicKey: "pk_k",
  scopes,
});
