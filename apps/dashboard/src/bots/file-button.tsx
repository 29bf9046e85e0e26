import { Button, FileTrigger } from "react-aria-components";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";

/** The button Import: reads one file of these types. */
export function ImportButton({
  types,
  busy,
  read,
}: {
  readonly types: readonly string[];
  readonly busy: boolean;
  readonly read: (file: File) => void;
}) {
  return (
    <FileTrigger
      acceptedFileTypes={types}
      onSelect={(list) => {
        const file = list?.[0];
        if (file) read(file);
      }}
    >
      <Button isPending={busy}>
        <Icon name="upload" />
        {t("bots.import")}
      </Button>
    </FileTrigger>
  );
}
