import { Facts, Part } from "../kit/page.tsx";
import { Address, PersonName, Phone } from "../kit/phone.tsx";
import { SafeText } from "../kit/safe-text.tsx";
import { say } from "./say.ts";

export function TextParts() {
  return (
    <Part title={say("Texts and numbers", "النصوص والأرقام")}>
      <Facts
        of={[
          [say("Phone", "الهاتف"), <Phone key="1" of="96550012345" />],
          [say("A person", "شخص"), <PersonName key="2" of="ليلى الأحمد" />],
          [say("A person without a name", "شخص بلا اسم"), <PersonName key="3" of="+96550012345" />],
          [say("Address by SMS", "عنوان عبر SMS"), <Address key="4" of="96550012345" on="SMS" />],
          [
            say("Address on Telegram", "عنوان على تيليجرام"),
            <Address key="5" of="sara_m" on="TELEGRAM" />,
          ],
          [
            say("A customer's text", "نص من عميل"),
            <SafeText
              key="6"
              text={
                "See https://shop.example/orders/7, or https://bank.com@evil.example \u202Etxet"
              }
            />,
          ],
          [
            say("A note", "ملاحظة"),
            <SafeText
              key="7"
              text="@Sara please look, @Jonas knows"
              mentioned={[
                { name: "Sara", mine: true },
                { name: "Jonas", mine: false },
              ]}
            />,
          ],
        ]}
      />
    </Part>
  );
}
