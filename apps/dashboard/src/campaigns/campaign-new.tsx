import { useSuspenseQuery } from "@tanstack/react-query";
import { newForm } from "./form.ts";
import { choicesQuery } from "./queries.ts";
import { Wizard } from "./wizard.tsx";
import "./campaigns.css";

/** `/campaigns/new` */
export function CampaignNew() {
  const { ways, timeZone } = useSuspenseQuery(choicesQuery).data;
  const way = ways.find(({ ready }) => ready) ?? ways[0];
  return <Wizard first={newForm(way, timeZone)} stored={null} />;
}
