/** The part of npm `smpp` 0.5.1 that we use. The package has no types. */
declare module "smpp" {
  import type { EventEmitter } from "node:events";
  import type { LookupFunction, Server, Socket } from "node:net";

  export interface Pdu {
    readonly command: string;
    readonly command_status: number;
    /** Set by the session that sends it. */
    readonly sequence_number: number;
    isResponse(): boolean;
    readonly [field: string]: unknown;
    response(fields?: object): Pdu;
  }
  type Ask = (fields: object, answered: (answer: Pdu) => void) => boolean;
  export interface Session extends EventEmitter {
    readonly socket: Socket;
    send(pdu: Pdu): boolean;
    close(): void;
    destroy(): void;
    bind_transceiver: Ask;
    deliver_sm: Ask;
    enquire_link: Ask;
    unbind: Ask;
  }
  interface Pdus {
    new (command: "submit_sm", fields: object): Pdu;
    readonly prototype: Pdu & { fromBuffer(buffer: Buffer): void };
    /**
     * Reads a PDU of `length` octets from the stream, of which four were read already. False when the rest has not come
     * yet.
     */
    fromStream: (stream: { read(octets: number): Buffer | null }, length: number) => Pdu | false;
  }
  interface Library {
    readonly PDU: Pdus;
    /** `net.connect` or `tls.connect` gets all options too. */
    connect(options: {
      host: string;
      port: number;
      tls: boolean;
      lookup?: LookupFunction;
    }): Session;
    createServer(session: (session: Session) => void): Server & { readonly sessions: Session[] };
  }
  const library: Library;
  export default library;
}
