import { Button } from "react-aria-components";
import type { FaultDetail } from "../api/api-error.ts";
import { Choice } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { faultWords } from "./fault-words.ts";
import { DEEPEST, emptyRule, isGroup, type Choices, type Group, type Rule } from "./definition.ts";
import { RuleRow } from "./rule-row.tsx";

/** A group of rules, and groups in it as deep as the language allows. */
export function RuleGroup({
  name,
  path,
  number,
  depth,
  group,
  choices,
  fault,
  full,
  change,
  remove,
}: {
  readonly name: string;
  /** Its path in the server's faults; "" for the outermost. */
  readonly path: string;
  /** Shown before the numbers of its rules: "2." within the second of a group. */
  readonly number: string;
  readonly depth: number;
  readonly group: Group;
  readonly choices: Choices;
  readonly fault: FaultDetail | null;
  /** There are as many rules as there may be. */
  readonly full: boolean;
  readonly change: (group: Group) => void;
  readonly remove?: () => void;
}) {
  const { match, rules } = group;
  const at = (index: number): string => `${path === "" ? "" : `${path}.`}rules[${index}]`;
  const put = (index: number, one: Rule | Group): void =>
    change({ match, rules: rules.map((old, other) => (other === index ? one : old)) });
  const drop = (index: number): void =>
    change({ match, rules: rules.filter((_, other) => other !== index) });
  const add = (one: Rule | Group): void => change({ match, rules: [...rules, one] });
  const fresh = emptyRule("tag", "tag");
  return (
    <div className="rule-group" role="group" aria-label={name} data-depth={depth}>
      <GroupHead match={match} change={(next) => change({ match: next, rules })} remove={remove} />
      {rules.length === 0 && <p className="hint">{t("segments.rules.none")}</p>}
      {rules.map((one, index) => {
        const place = at(index);
        const shared = { choices, fault, full };
        return isGroup(one) ? (
          <RuleGroup
            // Rules have no ids: a rule is its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            {...shared}
            name={t("segments.group", { number: `${number}${index + 1}` })}
            path={place}
            number={`${number}${index + 1}.`}
            depth={depth + 1}
            group={one}
            change={(next) => put(index, next)}
            remove={() => drop(index)}
          />
        ) : (
          <RuleRow
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            name={t("segments.rule", { number: `${number}${index + 1}` })}
            rule={one}
            choices={choices}
            fault={fault?.path.startsWith(place) ? faultWords(fault) : null}
            change={(next) => put(index, next)}
            remove={() => drop(index)}
          />
        );
      })}
      <div className="rule-buttons">
        <Button isDisabled={full} onPress={() => add(fresh)}>
          <Icon name="plus" />
          {t("segments.rule.add")}
        </Button>
        {depth < DEEPEST && (
          <Button
            className="quiet"
            isDisabled={full}
            onPress={() => add({ match: match === "all" ? "any" : "all", rules: [fresh] })}
          >
            {t("segments.group.add")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Whether all rules of the group must hold or any of them, and the button that removes the group. */
function GroupHead({
  match,
  change,
  remove,
}: {
  readonly match: Group["match"];
  readonly change: (match: Group["match"]) => void;
  /** Undefined: the outermost group, which stays. */
  readonly remove: (() => void) | undefined;
}) {
  return (
    <div className="rule-group-head">
      <Choice
        label={t("segments.match")}
        hidden
        options={[
          { value: "all", name: t("segments.match.all") },
          { value: "any", name: t("segments.match.any") },
        ]}
        value={match}
        change={change}
      />
      {remove && (
        <Button className="quiet" aria-label={t("segments.group.remove")} onPress={remove}>
          <Icon name="x" />
        </Button>
      )}
    </div>
  );
}
