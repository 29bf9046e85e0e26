import { Address } from "../kit/phone.tsx";
import { t } from "../text/t.ts";

/** A person of an audience: the name, else where the campaign reaches them on that kind of channel. */
export const Addressee = ({
  of: { name, address },
  on,
}: {
  readonly of: { readonly name: string | null; readonly address: string | null };
  readonly on: string;
}) =>
  name !== null || address === null ? (
    <bdi>{name ?? t("campaigns.noName")}</bdi>
  ) : (
    <Address of={address} on={on} />
  );
