import { Icon } from "../kit/icon.tsx";
import { t, type PlainKey } from "../text/t.ts";

/** The way to a value through the platform's menus, and what to do there. */
export function Guide({ path, advice }: { readonly path: PlainKey; readonly advice: PlainKey }) {
  const places = t(path).split(" > ");
  return (
    <div className="channel-guide">
      <strong>{t("channels.where")}</strong>
      <ol>
        {places.map((place, index) => (
          <li key={place}>
            {index > 0 && (
              <span className="icon-directed channel-guide-arrow" aria-hidden="true">
                <Icon name="chevron-left" />
              </span>
            )}
            <bdi>{place}</bdi>
          </li>
        ))}
      </ol>
      <p>{t(advice)}</p>
    </div>
  );
}
