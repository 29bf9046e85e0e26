import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { FrameName } from "../api/shapes.ts";
import { StreamClient } from "./stream-client.ts";

/** The server's end of one `EventSource`. */
class Line extends EventTarget {
  readonly after: number;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(after: number) {
    super();
    this.after = after;
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  send(name: FrameName, data: object, id?: number): void {
    const event = new MessageEvent(name, {
      data: JSON.stringify(data),
      ...(id !== undefined && { lastEventId: String(id) }),
    });
    this.dispatchEvent(event);
  }

  fail(refused = false): void {
    this.readyState = refused ? 2 : 0;
    this.onerror?.();
  }

  close(): void {
    this.readyState = 2;
  }
}

interface Tab {
  readonly client: StreamClient;
  readonly lines: Line[];
  readonly heard: string[];
  readonly states: boolean[];
  /** How often the tab was told that it may have missed hints. */
  readonly resumed: () => number;
}
let tabs: Tab[] = [];
/** Everything that happened, to wait for. */
let happened: EventTarget;
let channelName: string;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
  tabs = [];
  happened = new EventTarget();
  channelName = crypto.randomUUID();
});
afterEach(() => {
  for (const one of tabs) one.client.stop();
  mock.timers.reset();
});

/** One tab of a browser. All tabs of a test share Node's real locks and channel. */
function tab({ after = 0, visible = true, signedIn = true, locks = true } = {}): Tab {
  const lines: Line[] = [];
  const heard: string[] = [];
  const states: boolean[] = [];
  let resumed = 0;
  const client = new StreamClient(
    {
      locks: locks ? navigator.locks : undefined,
      channel: () => new BroadcastChannel(channelName),
      open: (from) => {
        const line = new Line(from);
        lines.push(line);
        happened.dispatchEvent(new Event("line"));
        return line as unknown as EventSource;
      },
      isVisible: () => visible,
      isSignedIn: async () => signedIn,
    },
    {
      frame: (name, data) => {
        heard.push(`${name} ${JSON.stringify(data)}`);
        happened.dispatchEvent(new Event("frame"));
      },
      live: (live) => {
        states.push(live);
        happened.dispatchEvent(new Event("live"));
      },
      resumed: () => {
        resumed++;
        happened.dispatchEvent(new Event("resumed"));
      },
    },
  );
  const one = { client, lines, heard, states, resumed: () => resumed };
  tabs.push(one);
  client.start(after);
  return one;
}

const desk = (n: number) => ({ rows: [], gone: [], counts: { mine: n } });
async function until(
  truth: () => boolean,
  name: "line" | "frame" | "live" | "resumed",
): Promise<void> {
  while (!truth()) await once(happened, name);
}
async function holder(after = 0) {
  const one = tab({ after });
  await until(() => one.lines.length === 1, "line");
  one.lines[0]?.accept();
  return one;
}

test("one tab has the stream, and the others get every frame of it", async () => {
  const first = await holder(5);
  const second = tab({ after: 5 });
  first.lines[0]?.send("desk", desk(1), 6);
  await until(() => second.heard.length === 1, "frame");
  assert.deepEqual(second.heard, first.heard);
  assert.equal(second.lines.length, 0);
  assert.equal(second.client.after, 6);
});

test("when the tab with the stream closes, another goes on at the same place", async () => {
  const first = await holder();
  const second = tab();
  first.lines[0]?.send("desk", desk(1), 7);
  await until(() => second.heard.length === 1, "frame");
  first.client.stop();
  await until(() => second.lines.length === 1, "line");
  assert.equal(second.lines[0]?.after, 7);
});

test("a visible tab that hears nothing for 25 seconds takes the stream, a hidden one does not", async () => {
  const first = await holder();
  const hidden = tab({ visible: false });
  const second = tab();
  await until(() => second.states.length === 1, "live");
  mock.timers.tick(30_000);
  await until(() => second.lines.length === 1, "line");
  second.lines[0]?.accept();
  second.lines[0]?.send("desk", desk(1), 1);
  await until(() => first.heard.length === 1 && hidden.heard.length === 1, "frame");
  assert.equal(hidden.lines.length, 0);
  assert.equal(first.lines.at(-1)?.readyState, 2);
  assert.equal(first.client.holds, false);
});

test("a tab that slept gets what it missed, or is told to load anew", async () => {
  const first = await holder(10);
  first.lines[0]?.send("desk", desk(1), 11);
  first.lines[0]?.send("desk", desk(2), 12);
  const late = tab({ after: 11 });
  await until(() => late.heard.length === 1, "frame");
  assert.deepEqual(late.heard, [`desk ${JSON.stringify(desk(2))}`]);
  const tooLate = tab({ after: 3 });
  await until(() => tooLate.heard.length === 1, "frame");
  assert.deepEqual(tooLate.heard, ['reset {"change":12}']);
  assert.equal(tooLate.client.after, 12);
});

test("after a cut the stream goes on after the last frame, and only a cut of three seconds is reported", async () => {
  const first = await holder();
  first.lines[0]?.send("desk", desk(1), 4);
  first.lines[0]?.fail();
  await until(() => first.states.length === 1, "live");
  mock.timers.tick(500);
  assert.equal(first.lines[1]?.after, 4);
  first.lines[1]?.accept();
  mock.timers.tick(3000);
  assert.deepEqual(first.states, [true]);
  first.lines[1]?.fail();
  mock.timers.tick(3000);
  assert.deepEqual(first.states, [true, false]);
});

test("a silent connection is opened anew", async () => {
  const first = await holder();
  mock.timers.tick(15_000);
  first.lines[0]?.send("beat", {});
  mock.timers.tick(20_000);
  assert.equal(first.lines.length, 1);
  mock.timers.tick(10_000);
  assert.equal(first.lines.length, 2);
  assert.deepEqual(first.heard, []);
});

test("every tab is told when the stream was refused because the session ended", async () => {
  const first = tab({ signedIn: false });
  await until(() => first.lines.length === 1, "line");
  const second = tab();
  first.lines[0]?.fail(true);
  await until(() => second.heard.length === 1, "frame");
  assert.deepEqual([first.heard, second.heard], [["end {}"], ["end {}"]]);
});

test("without locks each tab has a stream of its own", () => {
  const [first, second] = [tab({ locks: false }), tab({ locks: false })];
  assert.deepEqual([first.lines.length, second.lines.length], [1, 1]);
});

test("after every break, however short, all tabs are told that they may have missed hints; at the first beginning none is", async () => {
  const one = await holder();
  const other = tab();
  one.lines[0]?.send("desk", desk(1), 1);
  await until(() => other.heard.length === 1, "frame");
  assert.deepEqual([one.resumed(), other.resumed()], [0, 0]);
  one.lines[0]?.fail();
  mock.timers.tick(500);
  one.lines[1]?.accept();
  await until(() => other.resumed() === 1, "resumed");
  assert.equal(one.resumed(), 1);
  // Another tab goes on with the stream: what was told meanwhile reached nobody.
  one.client.stop();
  await until(() => other.lines.length === 1, "line");
  other.lines[0]?.accept();
  assert.equal(other.resumed(), 2);
});
