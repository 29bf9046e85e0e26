import type { DeskRow, MemberSettings } from "../api/shapes.ts";

/** Two tones in a row would be noise when many customers write at once. */
const QUIET_MS = 2_000;
const PRESSES = ["pointerdown", "pointerup", "keydown"] as const;

/** Rings when a customer writes. A browser allows no sound before the first press on the page. */
export class Bell {
  readonly #memberId: string;
  readonly #setting: () => MemberSettings["sound"];
  #audio: AudioContext | undefined;
  #rangAt = 0;

  constructor(memberId: string, setting: () => MemberSettings["sound"]) {
    this.#memberId = memberId;
    this.#setting = setting;
    for (const press of PRESSES) document.addEventListener(press, this.#unlock);
  }

  /** A finger counts as a press only when it leaves the screen, a mouse's button when it goes down. */
  readonly #unlock = (): void => {
    this.#audio ??= new AudioContext();
    if (this.#audio.state === "suspended") void this.#audio.resume().catch(() => undefined);
    if (this.#audio.state === "running")
      for (const press of PRESSES) document.removeEventListener(press, this.#unlock);
  };

  /** `rows`: conversations in which a customer has just written. */
  ring(rows: readonly DeskRow[]): void {
    const wanted = rows.filter((row) => this.#isWanted(row));
    if (wanted.length === 0) return;
    announce(wanted);
    if (this.#audio?.state !== "running" || Date.now() - this.#rangAt < QUIET_MS) return;
    this.#rangAt = Date.now();
    playTone(this.#audio);
  }

  #isWanted({ assigneeId }: DeskRow): boolean {
    switch (this.#setting()) {
      case "off":
        return false;
      case "all":
        return true;
      case "mine":
        return assigneeId === this.#memberId;
      case "mine-and-unassigned":
        return assigneeId === this.#memberId || assigneeId === null;
    }
  }
}

/** Two short tones, the second one higher. */
export function playTone(audio: AudioContext): void {
  const begin = audio.currentTime;
  for (const [after, pitch] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.12, begin + after);
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + after + 0.25);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin + after);
    tone.stop(begin + after + 0.25);
  }
}

const ANNOUNCES = "parley.announces";

/** Whether this browser shows a notification while no tab of the dashboard is in sight. */
export const announces = (): boolean =>
  "Notification" in window &&
  Notification.permission === "granted" &&
  localStorage.getItem(ANNOUNCES) === "on";

/** Turns them on, which asks the person, or off; gives whether they are on. */
export async function setAnnounces(on: boolean): Promise<boolean> {
  if (on) await Notification.requestPermission();
  localStorage.setItem(ANNOUNCES, on ? "on" : "off");
  return announces();
}

/** One notification for each conversation: a newer message replaces the older one. */
function announce(rows: readonly DeskRow[]): void {
  if (document.visibilityState === "visible" || !announces()) return;
  for (const row of rows.slice(0, 3)) {
    const shown = new Notification(row.name, { body: row.preview, tag: row.id });
    shown.addEventListener("click", () => {
      window.focus();
      location.assign(`/inbox/all/${row.id}`);
    });
  }
}
