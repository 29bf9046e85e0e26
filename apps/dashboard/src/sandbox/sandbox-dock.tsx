import { useState } from "react";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { SandboxPhone, type Playing } from "./sandbox-phone.tsx";

/** The phone beside a conversation of a sandbox channel: a button, and the phone once it is pressed. */
export function SandboxDock({ channelId }: { readonly channelId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="sandbox-dock">
      {open && (
        <section className="sandbox-dock-pane" aria-label={t("sandbox.phone")}>
          <DockedPhone key={channelId} channelId={channelId} />
        </section>
      )}
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="smartphone" />
        {t("sandbox.phone")}
      </button>
    </div>
  );
}

function DockedPhone({ channelId }: { readonly channelId: string }) {
  const [playing, play] = useState<Playing>({ channelId });
  return <SandboxPhone playing={playing} play={play} />;
}
