import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { withProof } from "../api/proof.ts";
import { Icon } from "./icon.tsx";

/** A link to a file that the server gives only after the password was given of late: it is asked for first. */
export function ProvenDownload({
  address,
  name,
}: {
  readonly address: string;
  readonly name: string;
}) {
  return (
    <a
      className="button"
      href={address}
      download
      onClick={(event) => {
        event.preventDefault();
        void follow(address);
      }}
    >
      <Icon name="download" />
      {name}
    </a>
  );
}

/** Nothing happens when the person does not give the password. */
async function follow(address: string): Promise<void> {
  try {
    await withProof(() => call("checkProven"));
    location.assign(address);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
