import { isPhone, listLines, type SandboxPage } from "./list-lines.ts";
import { SENDS_OF, type PhoneSend } from "./phone-samples.ts";
import { USUAL_CUSTOMER } from "./platforms/usual-customer.ts";
import { magicNumbers, troublesOf } from "./troubles.ts";
import { SANDBOX_TYPES, type SandboxType, type Trouble } from "../wire/words.ts";

/** A sandbox channel, with what a phone screen shows at first. */
export interface PhoneToPlay {
  readonly id: string;
  readonly type: SandboxType;
  readonly name: string;
  /** The customer who writes when nobody chooses another. */
  readonly customer: string;
  /** What its customers can send beside text. */
  readonly sends: readonly PhoneSend[];
  /** The names of the faults that its platform knows. */
  readonly faults: readonly Trouble[];
  /** Addresses at which every send fails in a certain way. */
  readonly magic: readonly {
    readonly customer: string;
    readonly ending: string;
    readonly kind: Trouble;
  }[];
}

/** The phones of a workspace's sandbox channels and SMS account, and the pages of its sandbox web chats. */
export async function listPhones(
  context: Parameters<typeof listLines>[0],
  workspaceId: string,
): Promise<{ readonly phones: readonly PhoneToPlay[]; readonly pages: readonly SandboxPage[] }> {
  const phones: PhoneToPlay[] = [];
  const pages: SandboxPage[] = [];
  for (const line of await listLines(context, workspaceId)) {
    const type = SANDBOX_TYPES.find((known) => known === line.type);
    if (!isPhone(line)) pages.push(line);
    else if (type)
      phones.push({
        id: line.id,
        type,
        name: line.name,
        customer: USUAL_CUSTOMER[type],
        sends: SENDS_OF[type],
        faults: troublesOf(type),
        magic: magicNumbers(type).map(({ prefix, ending, kind }) => ({
          customer: `${prefix}5550${ending}`,
          ending,
          kind,
        })),
      });
  }
  return { phones, pages };
}
