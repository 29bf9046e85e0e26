import { invalid } from "../errors.ts";
import { TROUBLES, type SandboxType, type Trouble } from "../wire/words.ts";

/** The meaning of each fault: what happens to the send. */
const MEANINGS = {
  rejected: "refused: this customer cannot be reached",
  undeliverable: "taken, then reported as failed: this customer cannot be reached",
  template: "refused: the template is paused or missing; a campaign stops",
  account: "refused: the account is restricted; the channel turns to error",
  "opted-out": "refused: the customer has stopped us; the contact is opted out",
  token: "refused: the access token has ended; the channel turns to error",
  throttled: "refused: too many; no word of how long to wait",
  "throttled-hint": "refused: too many; the answer says how long to wait",
  unreachable: "refused: the platform is out of order for a moment; tried again",
  "lost-taken": "taken, but the connection is cut before the answer",
  lost: "not taken: the connection is cut before the answer",
  hang: "taken, but no answer ever comes",
  slow: "taken, answered after five seconds",
  "sent-only": "taken, reported as sent and no further",
  "no-status": "taken, and nothing is reported",
  twice: "taken, everything is reported twice",
  backwards: "taken, reported in the wrong order, or with a step left out",
  early: "taken, reported before the answer",
  late: "taken, reported a minute late",
  corrected: "taken, reported as failed and then as delivered",
} as const satisfies Record<Trouble, string>;

/** How the addresses with a special ending begin: a country code that nobody has. */
export const MAGIC_PREFIX = "999";

type Endings = Readonly<Partial<Record<Trouble, string>>>;

const CONNECTION = { "lost-taken": "0911", lost: "0912", hang: "0913", slow: "0910" } as const;
const PAGE = {
  rejected: "0551",
  account: "0368",
  token: "0190",
  throttled: "0613",
  unreachable: "0002",
  ...CONNECTION,
  backwards: "0903",
  twice: "0904",
  "no-status": "0907",
  early: "0908",
  late: "0909",
} as const satisfies Endings;

/**
 * The magic numbers. An address that begins with `MAGIC_PREFIX` and has this ending meets the fault each time. No other
 * address does, whatever its ending. A fault that is missing here does not exist on that platform.
 */
const ENDINGS = {
  WHATSAPP: {
    rejected: "0100",
    undeliverable: "0026",
    template: "0115",
    account: "0368",
    "opted-out": "0050",
    token: "0190",
    throttled: "0130",
    "throttled-hint": "0429",
    unreachable: "0016",
    ...CONNECTION,
    "sent-only": "0901",
    backwards: "0905",
    twice: "0904",
    "no-status": "0907",
    early: "0908",
    late: "0909",
    corrected: "0906",
  },
  MESSENGER: PAGE,
  INSTAGRAM: PAGE,
  TELEGRAM: {
    rejected: "0400",
    account: "0406",
    "opted-out": "0403",
    token: "0401",
    "throttled-hint": "0429",
    unreachable: "0421",
    ...CONNECTION,
  },
  TIKTOK: {
    rejected: "0007",
    account: "1000",
    token: "0102",
    throttled: "0100",
    unreachable: "0500",
    ...CONNECTION,
    "sent-only": "0901",
    backwards: "0903",
    twice: "0904",
    "no-status": "0907",
    early: "0908",
    late: "0909",
  },
  SMS: {
    rejected: "1211",
    undeliverable: "0005",
    account: "0002",
    "opted-out": "1610",
    token: "0003",
    throttled: "0429",
    unreachable: "0503",
    ...CONNECTION,
    "sent-only": "0901",
    backwards: "0905",
    twice: "0904",
    "no-status": "0907",
    early: "0908",
    late: "0909",
  },
} as const satisfies Record<SandboxType, Endings>;

/** SMS has no channel that could be in error, so two faults mean something else there. */
const SMS_MEANINGS: Endings = {
  account: "taken, then reported as failed: the account is restricted",
  token: "refused: the account's token has ended; a campaign is paused",
};

export interface MagicNumber {
  readonly type: SandboxType;
  readonly prefix: string;
  readonly ending: string;
  readonly kind: Trouble;
  readonly meaning: string;
}

/** The magic numbers of a type, in the order of `TROUBLES`. */
export function magicNumbers(type: SandboxType): MagicNumber[] {
  const endings: Endings = ENDINGS[type];
  return troublesOf(type).map((kind) => ({
    type,
    prefix: MAGIC_PREFIX,
    ending: endings[kind] ?? "",
    kind,
    meaning: (type === "SMS" && SMS_MEANINGS[kind]) || MEANINGS[kind],
  }));
}

/** Further endings of WhatsApp numbers, each with one code of Meta: of the answer, or of a later report. */
const CODES = {
  refused: {
    "0004": 4,
    "0031": 131031,
    "0042": 131042,
    "0056": 131056,
    "0101": 132001,
  },
  failed: {
    "0043": 131043,
    "0047": 131047,
    "0048": 131048,
    "0049": 131049,
    "0053": 131053,
    "0472": 130472,
  },
} as const;

export interface MagicCode extends Omit<MagicNumber, "kind"> {
  readonly kind: "code";
}

/** The endings that meet one code of the platform; only WhatsApp has some. */
export function magicCodes(type: SandboxType): MagicCode[] {
  if (type !== "WHATSAPP") return [];
  const row = (ending: string, meaning: string) =>
    ({ type, prefix: MAGIC_PREFIX, ending, kind: "code", meaning }) as const;
  return [
    ...Object.entries(CODES.refused).map(([ending, code]) =>
      row(ending, `refused with Meta's code ${code}`),
    ),
    ...Object.entries(CODES.failed).map(([ending, code]) =>
      row(ending, `taken, then reported as failed with Meta's code ${code}`),
    ),
  ];
}

/** The faults that exist on a platform. */
export function troublesOf(type: SandboxType): Trouble[] {
  return TROUBLES.filter((kind): kind is Trouble => Object.hasOwn(ENDINGS[type], kind));
}

/** The ending that stands for a fault. Throws VALIDATION_FAILED with all names that exist on this platform. */
export function endingOf(type: SandboxType, kind: string): string {
  const known = troublesOf(type).find((one) => one === kind);
  const endings: Endings = ENDINGS[type];
  const ending = known && endings[known];
  if (ending === undefined)
    throw invalid("kind", `must be one of ${[...troublesOf(type), "code"].join(", ")} on ${type}`);
  return ending;
}
