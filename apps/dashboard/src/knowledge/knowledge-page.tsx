import { Tab, TabPanel, Tabs } from "react-aria-components";
import { Page } from "../kit/page.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { t } from "../text/t.ts";
import { Gaps } from "./gaps.tsx";
import { Sources } from "./sources.tsx";
import { Synonyms } from "./synonyms.tsx";
import { TryQuestion } from "./try-question.tsx";
import "./knowledge.css";

/** `/knowledge`: what bots may answer from. */
export function KnowledgePage() {
  return (
    <Page title={t("knowledge.title")} lead={t("knowledge.lead")}>
      <TryQuestion />
      <Tabs className="knowledge-tabs">
        <TabRow name={t("knowledge.title")}>
          <Tab id="sources">{t("knowledge.sources")}</Tab>
          <Tab id="gaps">{t("knowledge.gaps")}</Tab>
          <Tab id="synonyms">{t("knowledge.synonyms")}</Tab>
        </TabRow>
        <TabPanel id="sources">
          <Sources />
        </TabPanel>
        <TabPanel id="gaps">
          <Gaps />
        </TabPanel>
        <TabPanel id="synonyms">
          <Synonyms />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
