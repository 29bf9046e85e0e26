import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Page } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { MagicAddresses } from "./magic-addresses.tsx";
import { phonesQuery } from "./phones-query.ts";
import { SandboxChannels } from "./sandbox-channels.tsx";
import { SandboxPhone, type Playing } from "./sandbox-phone.tsx";

/** `/sandbox`: the phone of a made-up customer, the sandbox channels, and the addresses with faults. */
export function SandboxPage() {
  const { data } = useQuery(phonesQuery);
  const [playing, play] = useState<Playing>({});
  const phone = data?.phones.find(({ id }) => id === playing.channelId) ?? data?.phones[0];
  return (
    <Page title={t("sandbox.title")} lead={t("sandbox.about")}>
      <div className="sandbox-grid">
        <section className="sandbox-handset" aria-label={t("details.sandboxPhone")}>
          <SandboxPhone playing={playing} play={play} />
        </section>
        <div className="sandbox-beside">
          {data && (
            <SandboxChannels
              list={data}
              chosen={phone?.id}
              choose={(channelId) => play({ channelId })}
            />
          )}
          {phone && (
            <MagicAddresses
              phone={phone}
              choose={(customer) => play({ channelId: phone.id, customer })}
            />
          )}
        </div>
      </div>
    </Page>
  );
}
