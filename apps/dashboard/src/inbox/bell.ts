import type { DeskRow, MemberSettings } from "./contract.ts";

/** Two tones in a row would be noise when many customers write at once. */
const QUIET_MS = 2_000;

/** Rings when a customer writes. A browser allows no sound before the first press on the page. */
export class Bell {
  readonly #memberId: string;
  readonly #setting: () => MemberSettings["sound"];
  #audio: AudioContext | undefined;
  #rangAt = 0;

  constructor(memberId: string, setting: () => MemberSettings["sound"]) {
    this.#memberId = memberId;
    this.#setting = setting;
    const unlock = () => (this.#audio ??= new AudioContext());
    document.addEventListener("pointerdown", unlock, { once: true });
    document.addEventListener("keydown", unlock, { once: true });
  }

  /** `rows`: conversations in which a customer has just written. */
  ring(rows: readonly DeskRow[]): void {
    if (!rows.some((row) => this.#isWanted(row))) return;
    if (this.#audio === undefined || Date.now() - this.#rangAt < QUIET_MS) return;
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
