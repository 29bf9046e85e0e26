import { t } from "../text/t.ts";
import { SandboxPhone } from "./sandbox-phone.tsx";

/** `/sandbox`: the phone of a made-up customer on a page of its own. */
export function SandboxPage() {
  const title = t("sandbox.title");
  return (
    <main id="main" className="sandbox-page">
      <title>{`${title} · Parley`}</title>
      <h1>{title}</h1>
      <p className="sandbox-about">{t("sandbox.about")}</p>
      <SandboxPhone />
    </main>
  );
}
