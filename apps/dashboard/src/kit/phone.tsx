/** A number, stored as digits with its country code. It runs from left to right in every language. */
export const Phone = ({ of: digits }: { readonly of: string }) => (
  <bdi dir="ltr">{`+${digits}`}</bdi>
);

/** Where a contact is reached on a kind of channel: a number with its plus, or what the platform calls it. */
export const Address = ({ of: address, on }: { readonly of: string; readonly on: string }) =>
  (on === "WHATSAPP" || on === "SMS") && /^\d+$/.test(address) ? (
    <Phone of={address} />
  ) : (
    <bdi dir="ltr">{address}</bdi>
  );
