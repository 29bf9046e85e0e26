/** A number, stored as digits with its country code. It runs from left to right in every language. */
export const Phone = ({ of: digits }: { readonly of: string }) => (
  <bdi dir="ltr" className="phone-number">{`+${digits}`}</bdi>
);

const isNumber = (name: string): boolean => /^\+\d+$/.test(name);

/** A person's name, or the number that stands for it: `+965…` runs from left to right in every language. */
export const PersonName = ({
  of: name,
  className = "",
}: {
  readonly of: string;
  readonly className?: string;
}) =>
  isNumber(name) ? (
    <bdi dir="ltr" className={`phone-number ${className}`}>
      {name}
    </bdi>
  ) : (
    <bdi className={className}>{name}</bdi>
  );

/** The same within a sentence that is a text. */
export const nameInText = (name: string): string => (isNumber(name) ? `\u2066${name}\u2069` : name);

/** Where a contact is reached on a kind of channel: a number with its plus, or what the platform calls it. */
export const Address = ({ of: address, on }: { readonly of: string; readonly on: string }) =>
  (on === "WHATSAPP" || on === "SMS") && /^\d+$/.test(address) ? (
    <Phone of={address} />
  ) : (
    <bdi dir="ltr">{address}</bdi>
  );
