/** The text of Server-Sent Events, as events. */

/** Splits a stream of bytes into events; a comment is nothing. */
export class EventParser {
  private rest = "";

  take(text: string): { kind: string; id: string | null; data: string }[] {
    this.rest += text;
    const blocks = this.rest.split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      let kind = "message";
      let id: string | null = null;
      const data: string[] = [];
      for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (name === "event") kind = value;
        else if (name === "id") id = value;
        else if (name === "data") data.push(value);
      }
      return data.length ? [{ kind, id, data: data.join("\n") }] : [];
    });
  }
}
