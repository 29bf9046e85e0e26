import { foldText } from "../contacts/record/contact.ts";
import { join, sql, type Sql } from "../db/sql.ts";
import { attributeQuery } from "./attribute-query.ts";
import { INSTANT } from "./instant-pattern.ts";
import { parseDefinition, type Condition, type Rule } from "./parse-definition.ts";
import type { Scalar } from "./parse-value.ts";
import type { Field } from "./segment-field.ts";
import type { Definition, Op } from "./segment.ts";

const DAY_MS = 86_400_000;
/** A rule with more names than this is compared one contact after another. */
const MOST_NAMES = 20;

/**
 * The condition of a segment over `contact c`, to stand after `c.workspace_id = …` and an `and`. All values are
 * bind parameters. `within_days` counts from `now`. An empty rule list means everyone who has not opted out; with
 * rules, the audience leaves out opted-out contacts. A negative op is true exactly where its positive one is not,
 * so also where the contact has no such value.
 */
export function compileSegment(definition: Definition, now: Date): Sql {
  const group = parseDefinition(definition);
  if (group.conditions.length === 0) return sql`c.opted_out_at is null`;
  return compile(group, now);
}

/**
 * The same for counting. With `others` the condition names the contacts that the definition excludes: "not a VIP"
 * is everybody but the VIPs, and these are found by an index.
 */
export function compileCount(definition: Definition, now: Date): { where: Sql; others: boolean } {
  const group = parseDefinition(definition);
  if (group.conditions.length === 0)
    return { where: sql`c.opted_out_at is not null`, others: true };
  const others = isNegative(group);
  return { where: compile(others ? opposite(group) : group, now), others };
}

/** Whether there are only negative rules. That a contact has not opted out is one. */
function isNegative(condition: Condition): boolean {
  if (condition.kind === "group") return condition.conditions.every(isNegative);
  const { field, op, value } = condition;
  return field.kind === "flag" ? (op === "eq") !== value : POSITIVE[op] !== undefined;
}

/** For negative rules: that one of them does not hold where all must, and the reverse. */
function opposite(condition: Condition): Condition {
  if (condition.kind === "group")
    return {
      kind: "group",
      match: condition.match === "all" ? "any" : "all",
      conditions: condition.conditions.map(opposite),
    };
  const { field, op } = condition;
  if (field.kind === "flag") return { ...condition, op: "eq", value: true };
  return { ...condition, op: POSITIVE[op] ?? op };
}

function compile(condition: Condition, now: Date): Sql {
  if (condition.kind === "rule") return compileRule(condition, now);
  const parts = condition.conditions.map((one) => compile(one, now));
  return sql`(${join(parts, condition.match === "all" ? " and " : " or ")})`;
}

const POSITIVE: Partial<Record<Op, Op>> = {
  neq: "eq",
  not_in: "in",
  not_contains: "contains",
  not_exists: "exists",
  not_within_days: "within_days",
};

function compileRule(rule: Rule, now: Date): Sql {
  const positive = POSITIVE[rule.op];
  if (positive) return sql`not coalesce(${compileRule({ ...rule, op: positive }, now)}, false)`;
  const exact = compilePositive(rule, now);
  if (rule.field.kind !== "attribute") return exact;
  // The terms are compared first, also where no index is used: reading a contact's JSON costs ten times as much.
  const query = attributeQuery(rule.field.key, rule.op, rule.value, now);
  return query === null ? exact : sql`(c.attribute_terms @@ ${query}::tsquery and ${exact})`;
}

function compilePositive(rule: Rule, now: Date): Sql {
  const { field } = rule;
  const value = rule.value as Scalar;
  switch (rule.op) {
    case "eq":
      return equals(field, value);
    case "in":
      return isIn(field, rule.value as readonly Scalar[]);
    case "contains":
      return contains(field, value);
    case "starts_with":
      return startsWith(field, value);
    case "exists":
      return exists(field);
    case "gt":
    case "after":
      return compare(field, sql`>`, value);
    case "gte":
      return compare(field, sql`>=`, value);
    case "lt":
    case "before":
      return compare(field, sql`<`, value);
    case "lte":
      return compare(field, sql`<=`, value);
    case "within_days":
      return lately(field, Number(value), now);
    case "neq":
    case "not_in":
    case "not_contains":
    case "not_exists":
    case "not_within_days":
      throw new Error(`${rule.op} is compiled as the opposite of its positive op`);
  }
}

/** The column or attribute in the row. */
function operand(field: Field): Sql {
  switch (field.name) {
    case "name":
      return sql`c.name`;
    case "email":
      return sql`c.email`;
    case "phone":
      return sql`c.phone`;
    case "channelType":
      return sql`c.channel_type`;
    case "createdAt":
      return sql`c.created_at`;
    case "lastSeenAt":
      return sql`c.last_seen_at`;
    default:
      return sql`(c.attributes ->> ${field.key}::text)`;
  }
}

function equals(field: Field, value: Scalar): Sql {
  if (field.kind === "tag") return sql`c.tags @> array[${value}]::text[]`;
  if (field.kind === "flag")
    return value === true ? sql`c.opted_out_at is not null` : sql`c.opted_out_at is null`;
  if (typeof value === "number") return compare(field, sql`=`, value);
  if (typeof value === "boolean") return sql`${operand(field)} = ${String(value)}`;
  // Digits have no case, so the bare column is found by its index.
  if (field.kind === "phone") return sql`c.phone = ${value}`;
  // One of a closed list, stored as it is spelled.
  if (field.kind === "channelType") return sql`c.channel_type = ${value}`;
  // E-mail has an index of its own.
  const also = field.name === "name" ? alsoSearched(field, value) : sql``;
  return sql`(${also}folded(${operand(field)}) = folded(${value}))`;
}

function isIn(field: Field, values: readonly Scalar[]): Sql {
  if (field.kind === "tag") return sql`c.tags && ${values}::text[]`;
  if (field.kind === "phone") return sql`c.phone = any(${values}::text[])`;
  if (field.kind === "channelType") return sql`c.channel_type = any(${values}::text[])`;
  // A few names are each found by the search column.
  if (field.name === "name" && values.length <= MOST_NAMES)
    return sql`(${join(
      values.map((value) => equals(field, value)),
      " or ",
    )})`;
  const texts = values.filter((value) => typeof value === "string");
  const others = values.filter((value) => typeof value !== "string");
  const parts = others.map((value) => equals(field, value));
  if (texts.length > 0) {
    parts.push(
      // As one array, which an index takes also where the rule is one of several that may hold.
      sql`folded(${operand(field)}) = any (array(select folded(v) from unnest(${texts}::text[]) as t(v)))`,
    );
  }
  return sql`(${join(parts, " or ")})`;
}

function contains(field: Field, value: Scalar): Sql {
  if (field.kind === "tag") return someTag(sql`position(${value} in tag) > 0`, value);
  return sql`(${alsoSearched(field, value)}position(folded(${value}) in folded(${operand(field)})) > 0)`;
}

function startsWith(field: Field, value: Scalar): Sql {
  if (field.kind === "tag") return someTag(sql`starts_with(tag, ${value})`, value);
  if (field.kind === "phone") return phoneBegins(String(value));
  return sql`(${alsoSearched(field, value)}starts_with(folded(${operand(field)}), folded(${value})))`;
}

/** One tag is the text. Whether the text is contained in them at all is checked first, which costs a third. */
function someTag(is: Sql, value: Scalar): Sql {
  return sql`(position(${value} in array_to_string(c.tags, ' ')) > 0
    and exists (select from unnest(c.tags) as tag where ${is}))`;
}

/** Numbers with a prefix stand together in the index: from the prefix to the next number of its length. */
function phoneBegins(prefix: string): Sql {
  const begins = sql`starts_with(c.phone, ${prefix})`;
  const head = prefix.replace(/9+$/, "");
  if (head === "") return sql`(c.phone >= ${prefix} and ${begins})`;
  const next = `${head.slice(0, -1)}${Number(head.at(-1)) + 1}`;
  return sql`(c.phone >= ${prefix} and c.phone < ${next} and ${begins})`;
}

/**
 * Printable ASCII, Latin-1, Cyrillic, Hebrew and Arabic, where PostgreSQL and Node agree on lower case; and letters that
 * have no case (Chinese, Hindi, Thai …) with their own marks.
 */
const ONE_LOWER_CASE =
  /^[\x20-\x7e\u00c0-\u00ff\u0400-\u045f\u05d0-\u05ea\u0600-\u06ff\u0750-\u077f\p{Lo}[\p{M}--[\u0300-\u036f]]]+$/v;

/**
 * A second condition for a name, e-mail or phone that has the text in it: the search column has it too. That column is
 * folded already, and the trigram index finds the text in it, so it is looked at first. It is added only for letters
 * that have the same lower case in PostgreSQL and in Node. Fewer than three letters have no trigram.
 */
function alsoSearched(field: Field, value: Scalar): Sql {
  if (field.kind !== "text" && field.kind !== "phone") return sql``;
  const text = foldText(String(value));
  if (!ONE_LOWER_CASE.test(text)) return sql``;
  if (text.length < 3) return sql`position(${text} in c.search) > 0 and `;
  return sql`c.search like ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} and `;
}

function exists(field: Field): Sql {
  if (field.kind === "tag") return sql`(cardinality(c.tags) > 0)`;
  return sql`(${operand(field)} is not null)`;
}

function compare(field: Field, operator: Sql, value: Scalar): Sql {
  if (field.kind === "date") return sql`${operand(field)} ${operator} ${value}::timestamptz`;
  if (value instanceof Date) return sql`${instant(field)} ${operator} ${sortable(value)}`;
  // An attribute that is not a number compares as null; the case keeps the cast away from it.
  return sql`case when ${operand(field)} ~ '^-?[0-9]{1,30}([.][0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$'
    then ${operand(field)}::numeric ${operator} ${String(value)}::numeric end`;
}

/** Between that many days ago and now. */
function lately(field: Field, days: number, now: Date): Sql {
  const since = new Date(now.getTime() - days * DAY_MS);
  if (field.kind === "date")
    return sql`${operand(field)} between ${since}::timestamptz and ${now}::timestamptz`;
  return sql`${instant(field)} between ${sortable(since)} and ${sortable(now)}`;
}

/**
 * An attribute with a date or a UTC time, as text that sorts by time; null when it holds anything else. The offset
 * makes PostgreSQL read it out of its JSON only once.
 */
function instant(field: Field): Sql {
  return sql`(select case when held ~ ${INSTANT}
      then rtrim(held, 'Z') || substr('0000-00-00T00:00:00.000', length(rtrim(held, 'Z')) + 1) end collate "C"
    from (select ${operand(field)} as held offset 0) h)`;
}

/** A time in that order. Times beyond the year 9999 sort above all. */
function sortable(time: Date): string {
  const text = time.toISOString().slice(0, -1);
  return text.startsWith("+") ? "~" : text;
}
