// Moves what viser has drawn, by viser's own messages: TOLD is what a scene says beside it.
"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const node = (kind, into, given = {}) => into.appendChild(Object.assign(document.createElement(kind), given));
  const svg = (kind, into, given) => {
    const made = into.appendChild(document.createElementNS("http://www.w3.org/2000/svg", kind));
    for (const name in given) made.setAttribute(name, given[name]);
    return made;
  };

  // Rows of numbers: deflated bytes, sorted by worth, of changes from row to row of whole multiples of a step.
  async function unpacked({ rows, columns, step, data }) {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer());
    const n = rows * columns, values = new Float64Array(n);
    for (let c = 0; c < columns; c++)
      for (let r = 0, sum = 0; r < rows; r++) {
        const k = c * rows + r;
        sum += planes[k] | (planes[n + k] << 8) | (planes[2 * n + k] << 16) | (planes[3 * n + k] << 24);
        values[r * columns + c] = sum * step;
      }
    return { values, columns };
  }

  async function readAll(thing) {
    for (const key in thing) {
      const value = thing[key];
      if (!value || typeof value !== "object") continue;
      if ("data" in value) thing[key] = await unpacked(value);
      else await readAll(value);
    }
  }

  await readAll(TOLD);
  const t = TOLD.t.values, begin = t[0], end = t[t.length - 1];
  const told = { seconds: begin, follow: TOLD.follow, playing: false, row: -1 };
  const hidden = new Set(TOLD.groups.filter((group) => !group.shown).map((group) => group.name));

  // Between which rows a time is, and how far.
  function between(times, seconds) {
    let low = 0, high = times.length - 1;
    if (high === 0 || seconds <= times[0]) return [0, 0, 0];
    if (seconds >= times[high]) return [high, high, 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= seconds) low = middle;
      else high = middle;
    }
    return [low, high, (seconds - times[low]) / (times[high] - times[low])];
  }

  function at(series, [low, high, part], first, count) {
    const { values, columns } = series, found = [];
    for (let c = first; c < first + count; c++)
      found.push(values[low * columns + c] * (1 - part) + values[high * columns + c] * part);
    return found;
  }

  const place = (name, position) => ({ type: "SetPositionMessage", name, position });
  const turn = (name, wxyz) => ({ type: "SetOrientationMessage", name, wxyz });
  const show = (name, visible) => ({ type: "SetSceneNodeVisibilityMessage", name, visible });
  const change = (name, updates) => ({ type: "SceneNodeUpdateMessage", name, updates });

  function wxyzOf(turns, when, body) {
    const [x, y, z, w] = at(turns, when, 4 * body, 4), size = Math.hypot(x, y, z, w);
    return [w / size, x / size, y / size, z / size];
  }

  function* moved(when) {
    const places = TOLD.bodies.map((_, body) => at(TOLD.places, when, 3 * body, 3));
    for (const [body, name] of TOLD.bodies.entries()) {
      yield place(name, places[body]);
      yield turn(name, wxyzOf(TOLD.turns, when, body));
    }
    const led = TOLD.bodies.indexOf(told.follow), start = at(TOLD.places, [0, 0, 0], 3 * led, 3);
    yield place(TOLD.world, led < 0 ? [0, 0, 0] : start.map((value, k) => value - places[led][k]));
    for (const arrow of TOLD.arrows) yield* pointed(arrow, when);
    const row = when[0];
    if (row !== told.row) for (const trail of TOLD.trails) yield gone(trail, row);
    told.row = row;
  }

  // An arrow of length 1 along z, turned from there to where the vector points.
  function* pointed(arrow, when) {
    const [x, y, z] = at(arrow.vector, when, 0, 3), size = Math.hypot(x, y, z);
    const seen = size > TOLD.shortest && !hidden.has(arrow.group);
    yield show(arrow.node, seen);
    if (!seen) return;
    const wxyz = z / size > -0.999999 ? [1 + z / size, -y / size, x / size, 0] : [0, 1, 0, 0], norm = Math.hypot(...wxyz);
    yield place(arrow.node, at(arrow.origin, when, 0, 3));
    yield turn(arrow.node, wxyz.map((value) => value / norm));
    yield change(arrow.node, { scale: size });
  }

  function gone(trail, row) {
    const { values } = trail.points, stride = Math.max(1, Math.ceil(row / 400)), points = [];
    for (let k = 0; k < row; k += stride) {
      const next = Math.min(k + stride, row);
      points.push(...values.subarray(3 * k, 3 * k + 3), ...values.subarray(3 * next, 3 * next + 3));
    }
    if (!points.length) points.push(...values.subarray(0, 3), ...values.subarray(0, 3));
    return change(trail.node, { points: new Float32Array(points) });
  }

  function send(messages) {
    const viewer = window.__viserMutable;
    for (const message of messages) viewer.messageQueue.push(message);
    viewer.requestRender();
    if (document.hidden) viewer.drainMessageQueue();
  }

  const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];
  const shownAt = [];  // what else shows the time
  function seek(seconds) {
    told.seconds = Math.min(end, Math.max(begin, seconds));
    const when = between(t, told.seconds);
    send(moved(when));
    for (const shown of shownAt) shown(told.seconds);
  }

  function play(on) {
    if (on === told.playing) return;
    told.playing = on;
    $("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
    if (!on) return;
    if (told.seconds >= end) seek(begin);
    let last = performance.now();
    requestAnimationFrame(function step(now) {
      if (!told.playing) return;
      seek(told.seconds + ((now - last) / 1000) * Number($("speed").value));
      last = now;
      if (told.seconds >= end) play(false);
      else requestAnimationFrame(step);
    });
  }

  function setGroups() {
    for (const group of TOLD.groups) {
      const label = node("label", $("groups"));
      const box = node("input", label, { type: "checkbox", checked: group.shown });
      label.append(" " + group.name);
      box.onchange = () => {
        hidden[box.checked ? "delete" : "add"](group.name);
        const arrows = new Set(TOLD.arrows.map((arrow) => arrow.node));
        send(group.nodes.filter((name) => !arrows.has(name)).map((name) => show(name, box.checked)));
        setLegend();
        seek(told.seconds);
      };
    }
    setLegend();
  }

  function setLegend() {
    $("legend").replaceChildren();
    const named = new Set();
    for (const { group, name, colour } of TOLD.legend) {
      if (hidden.has(group) || named.has(name)) continue;
      named.add(name);
      const entry = node("li", $("legend"));
      node("i", entry).style.background = `rgb(${colour})`;
      entry.append(name);
    }
  }

  const part = (seconds) => (seconds - begin) / (end - begin);
  const number = (value) => (Math.abs(value) < 1e-9 ? "0" : Number(value.toPrecision(3)).toString());

  function setBar() {
    $("bar").hidden = false;
    $("play").onclick = () => play(!told.playing);
    addEventListener("keydown", (event) => {
      if (event.code !== "Space" || /INPUT|SELECT|BUTTON/.test(event.target.tagName)) return;
      event.preventDefault();
      play(!told.playing);
    });
    Object.assign($("time"), { min: begin, max: end });
    $("time").oninput = () => (play(false), seek(Number($("time").value)));
    const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];
    const usual = speeds.find((speed) => speed >= 1 && (end - begin) / speed <= 30) ?? 1000;
    for (const speed of speeds) node("option", $("speed"), { value: speed, text: `${speed}x`, selected: speed === usual });
    node("option", $("follow"), { value: "", text: "stays" });
    for (const name in TOLD.names)
      node("option", $("follow"), { value: name, text: `follows ${TOLD.names[name]}`, selected: name === told.follow });
    $("follow").onchange = () => ((told.follow = $("follow").value), seek(told.seconds));
    const phases = TOLD.marks.filter((mark) => mark.kind === "phase");
    const events = TOLD.marks.filter((mark) => mark.kind !== "phase");
    for (const [k, phase] of phases.entries()) {
      const next = phases[k + 1]?.t ?? end, made = node("span", $("phases"), { textContent: phase.text, title: phase.text });
      Object.assign(made.style, { left: `${100 * part(phase.t)}%`, width: `${100 * (part(next) - part(phase.t))}%` });
      made.onclick = () => seek(phase.t);
    }
    for (const event of events) {
      const made = node("i", $("events"), { title: `${number(event.t)} s: ${event.text}` });
      made.style.left = `${100 * part(event.t)}%`;
      made.onclick = () => seek(event.t);
    }
    shownAt.push((seconds) => {
      $("time").value = seconds;
      $("clock").value = `${seconds.toFixed(2)} / ${number(end)} s`;
      const past = events.filter((event) => event.t <= seconds + 1e-9);
      const last = past[past.length - 1];
      $("said").value = last ? `${number(last.t)} s: ${last.text}` : "";
    });
  }

  function setPlot(plot) {
    const box = node("div", $("plots"), { className: "plot" });
    node("h2", box, { textContent: `${plot.title} [${plot.unit}]` });
    const times = plot.t.values, { values, columns } = plot.rows;
    let low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
    if (high - low < plot.least) [low, high] = [low - plot.least, high + plot.least];
    const y = (value) => 94 - (92 * (value - low)) / (high - low);
    const drawn = svg("svg", box, { viewBox: "0 0 1000 96", preserveAspectRatio: "none" });
    if (low < 0 && high > 0) svg("line", drawn, { class: "zero", x1: 0, x2: 1000, y1: y(0), y2: y(0) });
    for (let c = 0; c < columns; c++) {
      const points = Array.from(times, (s, k) => `${(1000 * part(s)).toFixed(1)} ${y(values[k * columns + c]).toFixed(1)}`);
      svg("path", drawn, { d: `M${points.join("L")}`, stroke: COLOURS[c % COLOURS.length] });
    }
    const now = svg("line", drawn, { class: "now", y1: 0, y2: 96 });
    const range = node("div", box, { className: "range" });
    for (const bound of [low, high]) node("span", range, { textContent: `${bound === low ? "from" : "to"} ${number(bound)}` });
    const list = node("ul", box), said = plot.names.map((_, c) => {
      const entry = node("li", list);
      entry.style.color = COLOURS[c % COLOURS.length];
      return entry;
    });
    const to = (event) => {
      const { left, width } = drawn.getBoundingClientRect();
      play(false);
      seek(begin + ((event.clientX - left) / width) * (end - begin));
    };
    drawn.onpointerdown = (event) => (drawn.setPointerCapture(event.pointerId), to(event));
    drawn.onpointermove = (event) => event.buttons && to(event);
    shownAt.push((seconds) => {
      const x = 1000 * part(seconds), found = at(plot.rows, between(times, seconds), 0, columns);
      now.setAttribute("x1", x);
      now.setAttribute("x2", x);
      for (const [c, entry] of said.entries()) entry.textContent = `${plot.names[c]} ${number(found[c])}`;
    });
  }

  const last = TOLD.bodies[TOLD.bodies.length - 1] ?? TOLD.world;
  while (!(window.__viserMutable?.drainMessageQueue && window.__viserMutable.nodeRefFromName[last]))
    await new Promise((done) => setTimeout(done, 30));
  $("side").hidden = false;
  $("title").textContent = TOLD.title;
  for (const note of TOLD.notes) node("p", $("notes"), { textContent: note });
  setGroups();
  if (t.length > 1) setBar();
  for (const plot of TOLD.plots) setPlot(plot);
  seek(begin);
  window.scmanip = { seek, play, begin, end };
})();
