import { useQuery } from "@tanstack/react-query";
import { Choice, TextInput } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { botsQuery } from "./bots-query.ts";
import { ItemList, textIn, type Editing, type ItemEditing } from "./item-list.tsx";

const MOST = 20;

/** The flows that an AI bot may begin, and when. */
export function Procedures(editing: Editing) {
  return (
    <Part title={t("bots.tab.procedures")}>
      <p className="hint">{t("bots.procedures.hint")}</p>
      <ItemList
        of={editing}
        at="procedures"
        label={t("bots.tab.procedures")}
        one="bots.procedure"
        add="bots.procedure.add"
        remove="bots.procedure.remove"
        most={MOST}
        make={() => ({ flow: "", when: "" })}
      >
        {(item) => (
          <>
            <Flow of={item} />
            <TextInput
              rows={2}
              isReadOnly={!item.mayWrite}
              label={t("bots.procedure.when")}
              hint={t("bots.procedure.when.hint")}
              value={textIn(item.item, "when")}
              onChange={(when) => item.put("when", when)}
              maxLength={500}
            />
          </>
        )}
      </ItemList>
    </Part>
  );
}

/** The flow, by its name; one that is not live any more is still shown. */
function Flow({ of: { item, mayWrite, put } }: { readonly of: ItemEditing }) {
  const { data } = useQuery(botsQuery);
  const chosen = textIn(item, "flow");
  const flows = (data?.items ?? []).filter(
    ({ kind, status }) => kind === "flow" && status === "live",
  );
  const names = new Set(flows.map(({ name }) => name));
  return (
    <Choice
      label={t("bots.kind.flow")}
      disabled={!mayWrite}
      value={chosen}
      options={[
        { value: "", name: t("bots.procedure.none") },
        ...(chosen !== "" && !names.has(chosen)
          ? [{ value: chosen, name: t("bots.procedure.notLive", { name: chosen }) }]
          : []),
        ...[...names].map((name) => ({ value: name, name })),
      ]}
      change={(name) => put("flow", name)}
      {...(data && flows.length === 0 && { hint: t("bots.procedure.noFlows") })}
    />
  );
}
