/* Another implementation beside Novem: render target 0 after each draw and clear, and where they differ first. */
class CandidateView extends TargetView {
  title(source) {
    const [name, facts] = super.title(source);
    return [{ before: "Novem", after: "Candidate", slider: "Novem | candidate" }[source] || name, facts];
  }

  hint() { return "Point at a pixel to read it of Novem (before) and of the candidate (after); wheel or + zooms."; }

  picked(x, y) { this.goTo(x, y); }
}

const CANDIDATE_MODES = TARGET_MODES.map(([mode, text]) => [mode, { before: "Novem", after: "Candidate" }[mode] || text]);

const Candidate = {
  id: "candidate", text: "Candidate", key: "b",
  trouble: "", data: null, byCall: new Map(),

  /* The answer has come. */
  take(data) {
    if (!data?.events) return;
    this.data = data;
    this.byCall = new Map(data.events.map((e) => [e.call, e]));
    Tree.rows?.draw();
  },

  differs(call) { return (this.byCall.get(call)?.pixels || 0) > 0; },

  start(panel) {
    this.facts = make("p");
    this.facts.setAttribute("role", "status");
    this.view = new CandidateView("candidate");
    this.view.wanted = "side";
    this.modes = choice("View", CANDIDATE_MODES, "side", (mode) => { this.view.wanted = mode; this.view.show(mode); });
    const controls = this.view.controls();
    this.command = make("code");
    panel.append(card("Candidate", this.command, this.facts), toolbar("Pictures of the candidate", this.modes, this.view.place),
      toolbar("How the candidate's pictures are shown", ...controls), this.view.host, this.view.line);
  },

  has(event) { return this.byCall.has(event.call); },

  async open(event) {
    const found = this.byCall.get(event.call), { first } = this.data, pictures = [found.reference, found.picture];
    const wrong = this.data.events.filter((e) => e.pixels > 0).map((e) => e.call);
    this.command.textContent = this.data.command;
    const here = !found.picture ? "The candidate has no picture after this event. " :
      found.pixels ? `${several(found.pixels, "pixel")} differ after this event, at most by ${found.max}. ` : "No difference after this event. ";
    this.facts.replaceChildren(here, ...(wrong.length ? ["First difference: call ", eventLink(first, undefined, "candidate"), ". All: ", eventLinks(wrong)] :
      ["No event differs."]));
    const [before, after] = await Promise.all(pictures.map((p) => Decoded.read(p)));
    if (Page.event !== event || !before) return;
    const modes = CANDIDATE_MODES.filter(([m]) => m === "before" || after);
    this.modes.fill(modes);
    const mode = modes.find(([m]) => m === this.view.wanted)?.[0] || "before";
    this.modes.set(mode);
    this.view.changedPixels = undefined;
    this.view.open({ before, after }, mode);
    if (!after) return;
    this.view.image("difference");
    this.view.draw();
  },
};
