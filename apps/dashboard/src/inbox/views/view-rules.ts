import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
} from "../../../../server/src/wire/words.ts";
import type { InputOf } from "../../api/call.ts";
import type { Bootstrap, ViewFilter, ViewRule } from "../../api/shapes.ts";

/** Minutes that a customer has waited for an answer. */
export const WAITS = ["15", "60", "240", "1440", "4320"] as const;
type Wait = (typeof WAITS)[number];
export const LISTS = ["status", "assignee", "label", "channel"] as const;
export const MARKS = ["unread", "unanswered", "failed"] as const;

/** What the form holds of a filter: one condition of each kind, and groups of alternatives for everything else. */
export interface Wanted {
  readonly status: readonly ConversationStatus[];
  readonly assignee: readonly string[];
  readonly label: readonly string[];
  readonly channel: readonly string[];
  readonly unread: boolean;
  readonly failed: boolean;
  readonly unanswered: boolean;
  /** Empty: any time. */
  readonly waiting: Wait | "";
  /** In each of them at least one rule has to fit. */
  readonly groups: readonly (readonly ViewRule[])[];
}

const NOTHING: Wanted = {
  status: [],
  assignee: [],
  label: [],
  channel: [],
  unread: false,
  failed: false,
  unanswered: false,
  waiting: "",
  groups: [],
};

/** The filter as the form shows it. Nothing of it is lost: what has no field of its own becomes a group. */
export function wantedOf(filter: ViewFilter): Wanted {
  return filter.all.reduce<Wanted>((wanted, group) => {
    const [rule, ...others] = group;
    return rule !== undefined && others.length === 0 && isFree(wanted, rule)
      ? put(wanted, rule)
      : { ...wanted, groups: [...wanted.groups, group] };
  }, NOTHING);
}

/** Whether the field of the rule's kind can say it, and says nothing yet. */
function isFree(wanted: Wanted, rule: ViewRule): boolean {
  if ("any" in rule) return wanted[rule.field].length === 0 && rule.any.length > 0;
  if ("is" in rule) return rule.is;
  return wanted.waiting === "" && WAITS.some((one) => one === String(rule.minutes));
}

/** The field of the rule's kind says the rule now. */
export function put(wanted: Wanted, rule: ViewRule): Wanted {
  switch (rule.field) {
    case "status":
      return { ...wanted, status: rule.any };
    case "assignee":
    case "label":
    case "channel":
      return { ...wanted, [rule.field]: rule.any };
    case "unread":
    case "failed":
    case "unanswered":
      return { ...wanted, [rule.field]: rule.is };
    case "waiting":
      return { ...wanted, waiting: WAITS.find((one) => one === String(rule.minutes)) ?? "" };
  }
}

/** A condition on a field of which any of these values fits. */
export function anyOf(field: (typeof LISTS)[number], values: readonly string[]): ViewRule {
  return field === "status"
    ? { field, any: CONVERSATION_STATUSES.filter((one) => values.includes(one)) }
    : { field, any: values };
}

/** The chosen channels or members that are gone: disconnected, or removed from the team. They can only be taken out. */
export function goneOf(
  field: "channel" | "assignee",
  chosen: readonly string[],
  { channels, members }: Pick<Bootstrap, "channels" | "members">,
): readonly string[] {
  const there: readonly { readonly id: string }[] = field === "channel" ? channels : members;
  const known = new Set(there.map(({ id }) => id));
  const isWord = (value: string) => field === "assignee" && (value === "me" || value === "nobody");
  return chosen.filter((value) => !known.has(value) && !isWord(value));
}

type NewFilter = InputOf<"createView">["body"]["filter"];
type NewRule = NewFilter["all"][number][number];

/** The filter that the form says. A condition without a value says nothing, and is left out. */
export function filterOf(wanted: Wanted): NewFilter {
  const alone: ViewRule[] = [
    { field: "status", any: wanted.status },
    { field: "assignee", any: wanted.assignee },
    { field: "label", any: wanted.label },
    { field: "channel", any: wanted.channel },
    ...MARKS.flatMap((field) => (wanted[field] ? [{ field, is: true }] : [])),
    ...(wanted.waiting === ""
      ? []
      : [{ field: "waiting", minutes: Number(wanted.waiting) } as const]),
  ];
  const groups = [...alone.map((rule) => [rule]), ...wanted.groups];
  return {
    all: groups
      .map((group) => group.filter((rule) => !("any" in rule) || rule.any.length > 0).map(newRule))
      .filter((group) => group.length > 0),
  };
}

function newRule(rule: ViewRule): NewRule {
  switch (rule.field) {
    case "status":
      return { field: rule.field, any: [...rule.any] };
    case "assignee":
    case "label":
    case "channel":
      return { field: rule.field, any: [...rule.any] };
    case "unread":
    case "failed":
    case "unanswered":
    case "waiting":
      return rule;
  }
}

/** A first condition of this kind. */
export function beginRule(field: ViewRule["field"]): ViewRule {
  switch (field) {
    case "status":
    case "assignee":
    case "label":
    case "channel":
      return anyOf(field, []);
    case "unread":
    case "failed":
    case "unanswered":
      return { field, is: true };
    case "waiting":
      return { field, minutes: 60 };
  }
}
