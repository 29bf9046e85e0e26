import { lazy, Suspense, useState } from "react";
import { Icon } from "../kit/icon.tsx";
import { t, withTexts } from "../text/t.ts";
import "./sandbox.css";

const DockedPhone = lazy(async () => ({
  default: (await withTexts(import("./docked-phone.tsx"))).DockedPhone,
}));

/** The phone of a conversation's customer on a sandbox channel: a button, and the phone once it is pressed. */
export function SandboxDock({ conversationId }: { readonly conversationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="sandbox-dock">
      {open && (
        <section className="sandbox-dock-pane" aria-label={t("details.sandboxPhone")}>
          <Suspense>
            <DockedPhone key={conversationId} conversationId={conversationId} />
          </Suspense>
        </section>
      )}
      <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="smartphone" />
        {t("details.sandboxPhone")}
      </button>
    </div>
  );
}
