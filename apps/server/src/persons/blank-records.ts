/** The ids and numbers that show that an event or answer is about a person. */
export interface Mentions {
  readonly ids: ReadonlySet<string>;
  readonly phones: readonly string[];
}

/** As `Mentions`, of an answer: a note names its conversation alone. */
export interface AnswerMentions extends Mentions {
  readonly conversations: ReadonlySet<string>;
}

type Json = Record<string, unknown>;

/**
 * The body of an event without personal data. Kind, ids, times and statuses stay, so that sequences have no gap
 * and a later reader finds the expected shape. Texts and addresses are removed. Null: the event is about somebody
 * else.
 */
export function blankEvent(body: string, who: Mentions): string | null {
  const event = JSON.parse(body) as { type?: unknown; data?: unknown };
  const data = asRecord(event.data);
  if (data === null) return null;
  const blanked = blankData(data, who);
  return blanked === null ? null : JSON.stringify({ ...event, data: blanked });
}

function blankData(data: Json, who: Mentions): Json | null {
  const contact = asRecord(data["contact"]);
  // A message's event.
  if ("contactId" in data) {
    if (!isOne(data["contactId"], who)) return null;
    const message = asRecord(data["message"]);
    const note = asRecord(data["note"]);
    const suggestion = asRecord(data["suggestion"]);
    return {
      ...data,
      ...("fileName" in data && { fileName: null }),
      ...(note && { note: blankWords(note) }),
      ...(suggestion && { suggestion: blankWords(suggestion) }),
      ...("errorMessage" in data && { errorMessage: null }),
      // What a bot noted of the talk, and what it asked for and got.
      ...("summary" in data && { summary: null }),
      ...("collected" in data && { collected: {} }),
      ...(message && { message: blankMessage(message) }),
      ...(contact && { contact: { ...contact, name: null, phone: null, externalId: null } }),
    };
  }
  if (contact)
    return isOne(contact["id"], who)
      ? { ...data, contact: blankContact(contact), ...("refs" in data && { refs: {} }) }
      : null;
  const conversation = asRecord(data["conversation"]);
  if (conversation)
    return isOne(conversation["contactId"], who)
      ? { ...data, conversation: { ...conversation, labels: [] } }
      : null;
  // A gateway's words about a passcode can contain the number.
  const { error } = data;
  const names = typeof error === "string" && who.phones.some((phone) => error.includes(phone));
  return names ? { ...data, error: null } : null;
}

/** The same for an answer of the API, which is kept for repeated requests. */
export function blankAnswer(body: string, who: AnswerMentions): string | null {
  let answer: Json | null;
  try {
    answer = asRecord(JSON.parse(body));
  } catch {
    // While a call is in progress, only an id stands there.
    return null;
  }
  if (answer === null) return null;
  const blanked = blankWithin(answer, who);
  return blanked === answer ? null : JSON.stringify(blanked);
}

/** The value with every record of the person blanked, at any depth; the value itself when it has none. */
function blankWithin(value: unknown, who: AnswerMentions): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one: unknown) => blankWithin(one, who));
    return items.every((one, place) => one === value[place]) ? value : items;
  }
  const record = asRecord(value);
  if (record === null) return value;
  if (isOne(record["id"], who)) return blankContact(record);
  // What has no text of a message but the id of its contact holds nothing else of the person.
  if (isOne(record["contactId"], who)) return "outcome" in record ? value : blankMessage(record);
  const { conversationId } = record;
  if (typeof conversationId === "string" && who.conversations.has(conversationId))
    return blankWords(record);
  const members = Object.entries(record).map(
    ([name, one]) => [name, blankWithin(one, who)] as const,
  );
  return members.every(([name, one]) => one === record[name]) ? value : Object.fromEntries(members);
}

function blankContact(contact: Json): Json {
  return {
    ...contact,
    name: null,
    email: null,
    phone: null,
    notes: null,
    externalId: null,
    tags: [],
    attributes: {},
    ...("refs" in contact && { refs: {} }),
  };
}

/** Of a note or a suggestion. */
const blankWords = (record: Json): Json => ({
  ...record,
  ...("text" in record && { text: "" }),
  ...("reason" in record && { reason: null }),
  ...("sources" in record && { sources: [] }),
});

// The platform's id of a WhatsApp message contains the customer's number.
function blankMessage(message: Json): Json {
  return {
    ...message,
    text: null,
    attachments: [],
    errorMessage: null,
    providerMessageId: null,
  };
}

const isOne = (value: unknown, { ids }: Mentions): boolean =>
  typeof value === "string" && ids.has(value);

function asRecord(value: unknown): Json | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : null;
}
