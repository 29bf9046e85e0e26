import { createServer, type AddressInfo } from "node:net";

export interface Mail {
  readonly to: readonly string[];
  /** Headers and text as they came. */
  readonly data: string;
}

/** The least SMTP server that a mail client will talk to; keeps what it took. */
export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly Mail[];
  close(): void;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: Mail[] = [];
  const server = createServer((socket) => {
    let rest = "";
    let to: string[] = [];
    let data: string[] | null = null;
    const take = (line: string): string | null => {
      if (data) {
        if (line !== ".") {
          data.push(line);
          return null;
        }
        mails.push({ to, data: data.join("\n") });
        [to, data] = [[], null];
        return "250 taken";
      }
      const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
      if (recipient !== undefined) to.push(recipient);
      if (/^DATA/i.test(line)) {
        data = [];
        return "354 go on";
      }
      return /^QUIT/i.test(line) ? "221 bye" : "250 ok";
    };
    socket.on("error", () => {});
    socket.setEncoding("utf8").write("220 test\r\n");
    socket.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = take(line);
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}
