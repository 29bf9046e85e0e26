import { TextInput, Toggle } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { ItemList, textIn, type Editing } from "./item-list.tsx";

const MOST = 50;

/** What the bot's talks are counted by, and what it never answers. */
export function Topics(editing: Editing) {
  return (
    <Part title={t("bots.topics")}>
      <p className="hint">{t("bots.topics.hint")}</p>
      <ItemList
        of={editing}
        at="topics"
        label={t("bots.topics")}
        one="bots.topic"
        add="bots.topic.add"
        remove="bots.topic.remove"
        most={MOST}
        make={() => ({ name: "" })}
      >
        {({ item, mayWrite, put }) => (
          <>
            <div className="bots-pair">
              <TextInput
                isReadOnly={!mayWrite}
                label={t("bots.column.name")}
                value={textIn(item, "name")}
                onChange={(name) => put("name", name)}
                maxLength={80}
              />
              <TextInput
                isReadOnly={!mayWrite}
                label={t("bots.description")}
                hint={t("bots.topic.description.hint")}
                value={textIn(item, "description")}
                onChange={(text) => put("description", text === "" ? undefined : text)}
                maxLength={500}
              />
            </div>
            <Toggle
              label={t("bots.topic.never")}
              on={item["never"] === true}
              disabled={!mayWrite}
              change={(on) => put("never", on ? true : undefined)}
            />
          </>
        )}
      </ItemList>
    </Part>
  );
}
