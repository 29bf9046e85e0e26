import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { isAbout, useNews } from "../desk/use-news.ts";
import { useMay } from "../kit/use-may.ts";
import { readAgain } from "../live/reread-queries.ts";
import { CampaignView } from "./campaign-view.tsx";
import type { Campaign } from "./contract.ts";
import { formOf } from "./form.ts";
import { campaignQuery, templatesQuery } from "./queries.ts";
import { Wizard } from "./wizard.tsx";
import "./campaigns.css";

/** A campaign's own state and counts are read again this often at most, in ms. */
const ROW_MS = 1_000;

/**
 * `/campaigns/:id`: a draft can be edited by members who may; every other campaign is shown. A draft that somebody
 * starts elsewhere is shown here too, and a scheduled one that is a draft again can be edited.
 */
export function CampaignPage() {
  const { id = "" } = useParams({ strict: false });
  return <OneCampaign key={id} id={id} />;
}

function OneCampaign({ id }: { readonly id: string }) {
  const shown = useSuspenseQuery(campaignQuery(id));
  const campaign = shown.data;
  useNews("broadcast", isAbout(id), ROW_MS, () => readAgain(shown));
  const mayChange = useMay("replaceCampaign");
  return campaign.status === "DRAFT" && !campaign.isTest && mayChange ? (
    <Draft campaign={campaign} />
  ) : (
    <CampaignView id={id} />
  );
}

function Draft({ campaign }: { readonly campaign: Campaign }) {
  const { id, parentId, parentName } = campaign;
  const templates = useSuspenseQuery(templatesQuery(campaign.channelId)).data;
  const resendOf = parentId === null ? null : { id: parentId, name: parentName ?? "" };
  const [loads, setLoads] = useState(0);
  return (
    <Wizard
      key={loads}
      first={formOf(campaign, templates)}
      stored={{ id, campaign, resendOf }}
      loaded={() => setLoads((times) => times + 1)}
    />
  );
}
