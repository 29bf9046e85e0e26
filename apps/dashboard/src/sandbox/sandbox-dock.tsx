import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { SandboxPhone, type Playing } from "./sandbox-phone.tsx";

/** The phone of a conversation's customer on a sandbox channel: a button, and the phone once it is pressed. */
export function SandboxDock({ conversationId }: { readonly conversationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="sandbox-dock">
      {open && (
        <section className="sandbox-dock-pane" aria-label={t("sandbox.phone")}>
          <DockedPhone key={conversationId} conversationId={conversationId} />
        </section>
      )}
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="smartphone" />
        {t("sandbox.phone")}
      </button>
    </div>
  );
}

function DockedPhone({ conversationId }: { readonly conversationId: string }) {
  const customer = useQuery({
    queryKey: ["phone-customer", conversationId],
    queryFn: ({ signal }) => call("readPhoneCustomer", { params: { id: conversationId }, signal }),
  });
  const [playing, play] = useState<Playing>();
  if (!customer.data) return customer.error ? <Failure of={customer.error} /> : null;
  const { channelId, customer: address, name } = customer.data;
  const theirs = { channelId, customer: address, ...(name !== null && { name }) };
  return <SandboxPhone playing={playing ?? theirs} play={play} />;
}
