import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { newForm } from "./form.ts";
import { choicesQuery } from "./queries.ts";
import { Wizard } from "./wizard.tsx";
import "./campaigns.css";

/** `/campaigns/new`; `?segment=ID` names its audience. */
export function CampaignNew() {
  const { segment } = useSearch({ from: "/members/campaigns/new" });
  const { ways, timeZone, segments } = useSuspenseQuery(choicesQuery).data;
  const way = ways.find(({ ready }) => ready) ?? ways[0];
  const segmentId = segments.find(({ id }) => id === segment)?.id ?? "";
  return <Wizard first={{ ...newForm(way, timeZone), segmentId }} stored={null} />;
}
