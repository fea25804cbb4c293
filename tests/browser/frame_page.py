#!/usr/bin/env python3
"""Tests the page of a captured frame in headless Chromium: from disk, and served.

    frame_page.py NOVEM [SCREENSHOTS]

The page is that of `novem frame` and of `novem inspect`, first with the data of frame_fixture.py, then with those of a
bundled capture. Prints one line per check and exits with 1 if a check fails.
"""
import json
import os
import sys
import tempfile

import golden_report
from frame_fixture import CALLS, CAPTURE, HEIGHT, HOSTILE, WIDTH, Inspector, colour, depth, serve, write, write_frame
from golden_report import SETTLED, Browser, check

READY = "document.body?.dataset.ready"
TABS = ["targets", "textures", "mesh", "state", "constants", "shaders", "call", "candidate", "resources", "costs"]
ROWS = "[...document.querySelectorAll('#tree .row b')].map(e => e.textContent)"
CALLS_SHOWN = "[...document.querySelectorAll('#tree .row > small:not(.note)')].map(e => +e.textContent)"
PANEL = "document.querySelector('.panel:not([hidden])')"
TEXT = f"{PANEL}.innerText"
PANES = f"[...{PANEL}.querySelectorAll('.pane h3')].map(e => e.firstChild?.textContent ?? '').join()"
DRAWN_PANES = f"{SETTLED}.then(() => {PANES})"


def ready(b, call, tab):
    return b.wait(f"{READY} === '{call} {tab}'", 15)


def open_tab(b, tab):
    b.run(f"document.getElementById('tab-{tab}').click()")
    return b.wait(f"{READY}?.endsWith(' {tab}')", 15)


def go(b, call, tab="targets"):
    b.run(f"Page.go({call}, '{tab}')")
    return ready(b, call, tab)


def press(b, label):
    """Clicks the button of the present view with a text."""
    return b.run(f"""(() => {{ const e = [...{PANEL}.querySelectorAll('button')].find((x) => x.textContent === {json.dumps(label)} && x.checkVisibility());
        e?.click(); return !!e; }})()""")


def choose(b, label, value):
    """Chooses an option of the select element with a label."""
    b.run(f"""(() => {{ const s = {PANEL}.querySelector('select[aria-label="{label}"]');
        s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()""")


def look_at_tree(b):
    check("the tree has passes, markers and events", b.run(ROWS)[:4] == [
        "to target 1 " + HOSTILE, "clear colour and depth", "Ground " + HOSTILE, "draw 2 triangles"])
    check("a marker goes on in the next pass", b.run(ROWS)[-3:] == ["Things …", "copy to surface 5", "draw a triangle " + HOSTILE])
    check("the last draw is open at first", b.run(READY) == f"{CALLS['last']} targets")
    lines = b.run("Object.fromEntries([...document.querySelectorAll('#tree .row')].map((r) => [r.querySelector('b').textContent, [r.style.borderLeftColor, !!r.querySelector('.swatch')]]))")
    green = "rgb(32, 160, 64)"
    check("a marker and what is inside it have its colour", lines["Ground " + HOSTILE] == [green, True] and
          lines["draw 2 triangles"] == [green, False] and lines["draw 12 triangles"] == ["", False])
    b.key("/")
    b.type("clear")
    check("words filter events", b.run(CALLS_SHOWN) == [CALLS["clear"]])
    check("and the count shows it", b.text("count") == "1 of 6 events")
    b.run("$('search').value = 'things'; Tree.filter()")
    check("a marker's words show what is inside it", b.run(CALLS_SHOWN) == [CALLS["box"], CALLS["copy"], CALLS["last"]])
    b.run("$('search').value = ''; Tree.filter(); document.activeElement.blur()")
    b.click("document.querySelector('#kinds button')")
    check("a kind can be selected", b.run(CALLS_SHOWN) == [CALLS["ground"], CALLS["box"], CALLS["last"]])
    b.click("document.querySelector('#kinds button')")
    for order, first in (("markers", "clear colour and depth"), ("flat", "clear colour and depth"), ("passes", "to target 1 " + HOSTILE)):
        b.run(f"$('group').value = '{order}'; $('group').dispatchEvent(new Event('change'))")
        check(f"events can be ordered by {order}", b.run(ROWS)[0] == first)
    b.run("$('tree').focus()")
    b.key("Home")
    check("keys go through the tree", b.run("Tree.chosen") == "pass-0" and ready(b, CALLS["box"], "targets"))
    rows = len(b.run(ROWS))
    b.key("ArrowLeft")
    folded = len(b.run(ROWS))
    b.key("ArrowRight")
    check("and fold it", folded == 5 and len(b.run(ROWS)) == rows)
    b.key("ArrowDown")
    check("the tree names its active row", b.run("document.getElementById($('tree').getAttribute('aria-activedescendant'))?.getAttribute('aria-selected')") == "true")
    b.run("document.activeElement.blur()")
    b.key("j")
    check("j goes to the next event", ready(b, CALLS["ground"], "targets"))
    b.key("k")
    check("k goes back", ready(b, CALLS["clear"], "targets"))
    b.key("u")
    pictures = "[...document.querySelectorAll('#tree .thumb')].map((t) => t.firstChild).filter(Boolean)"
    check("events have pictures", b.wait(pictures + ".length >= 4 && " + pictures + ".every((i) => i.tagName === 'CANVAS' || (i.complete && i.naturalWidth === %d))" % WIDTH, 10))
    check("they show colours without alpha", b.wait(f"""(() => {{ const row = [...document.querySelectorAll('#tree .row')].find((r) => r.querySelector('small')?.textContent === '{CALLS['box']}');
        const c = row?.querySelector('canvas'); return c && [...c.getContext('2d').getImageData(60, 30, 1, 1).data].join() === '32,128,224,255'; }})()""", 10))
    b.key("u")


def shown(b, x, y, pane=0):
    """Colour on the screen of a pixel of the picture."""
    return b.run(f"""{SETTLED}.then(() => {{ const c = {PANEL}.querySelectorAll('.pane canvas')[{pane}], v = Page.view();
        const at = [({x} + 0.5 - v.x) * v.scale + c.width / 2, ({y} + 0.5 - v.y) * v.scale + c.height / 2];
        return [...c.getContext('2d').getImageData(at[0], at[1], 1, 1).data].slice(0, 3); }})""")


def point(b, x, y):
    left, top = b.run(f"""(() => {{ const r = {PANEL}.querySelector('.stage').getBoundingClientRect(), v = Page.view();
        return [r.left + r.width / 2 + ({x} + 0.5 - v.x) * v.scale, r.top + r.height / 2 + ({y} + 0.5 - v.y) * v.scale]; }})()""")
    b.mouse("mouseMoved", left, top)
    b.run(SETTLED)
    return left, top


def part(b, name):
    return b.run(f"{PANEL}.querySelector('.pixel [data-part=\"{name}\"] b')?.textContent")


def look_at_targets(b, screenshots):
    go(b, CALLS["box"])
    check("the target after the event is shown", b.run(DRAWN_PANES) == "After" and shown(b, 40, 30) == list(colour(2)(40, 30)[:3]))
    b.key("2")
    check("and before it", b.run(DRAWN_PANES) == "Before" and shown(b, 40, 30) == list(colour(1)(40, 30)[:3]))
    b.key("3")
    check("side by side with what changed", b.run(DRAWN_PANES) == "Before,After,Difference" and
          b.run(f"{SETTLED}.then(() => {PANEL}.querySelectorAll('.pane h3 span')[2].textContent)") == "1,200 pixels")
    check("what has not changed is black", shown(b, 5, 5, 2) == [0, 0, 0] and shown(b, 40, 30, 2) != [0, 0, 0])
    b.screenshot(screenshots, "side")
    b.key("4")
    b.run("Page.view().setSplit(0.01)")
    after = shown(b, 40, 30)
    b.run("Page.view().setSplit(0.99)")
    check("the slider uncovers both", [after, shown(b, 40, 30)] == [list(colour(s)(40, 30)[:3]) for s in (2, 1)])
    b.run("document.getElementById('targets-slider').focus()")
    b.key("Home")
    check("keys move it", b.wait("document.getElementById('targets-slider').getAttribute('aria-valuenow') === '0'"))
    b.run("document.activeElement.blur()")
    b.key("5")
    check("blinking shows both", b.wait(f"{PANES} === 'After'", 4) and b.wait(f"{PANES} === 'Before'", 4))
    b.key("6")
    check("the difference stands alone", b.run(DRAWN_PANES) == "Difference")
    b.key("1")
    point(b, 60, 30)
    check("the values under the pointer are those of the file", part(b, "at") == "60, 30" and part(b, "after") == "32 128 224 128  #2080e080" and
          part(b, "before") == "120 90 96 255  #785a60ff" and part(b, "difference") == "-88 +38 +128 -127")
    b.key("a")
    check("alpha is grey", shown(b, 60, 30) == [128] * 3)
    b.key("a")
    for name, k in (("R", 0), ("G", 1), ("B", 2)):
        press(b, name)
        check(f"channel {name} is grey", shown(b, 60, 30) == [colour(2)(60, 30)[k]] * 3)
    ground = f"getComputedStyle({PANEL}.querySelector('.stage')).backgroundImage"
    press(b, "RGBA")
    check("alpha that is asked for shows a chequered ground", "gradient" in b.run(ground) and shown(b, 60, 30) != list(colour(2)(60, 30)[:3]))
    press(b, "RGB")
    check("colours alone have none", b.run(ground) == "none" and shown(b, 60, 30) == list(colour(2)(60, 30)[:3]))
    b.run("Targets.view.setRange(0, 0.5)")
    check("the range stretches values", shown(b, 60, 30) == [64, 255, 255])
    press(b, "Reset")
    b.run("Targets.view.exposure.value = 1; Targets.view.exposure.dispatchEvent(new Event('input'))")
    check("so does exposure", shown(b, 60, 30) == [64, 255, 255])
    press(b, "Reset")
    scale = b.run("Page.view().scale")
    b.key("+")
    zoomed = b.run("Page.view().scale")
    b.key("0")
    check("keys zoom", zoomed == 2 * scale and b.run("Page.view().scale") == scale)
    b.run("Targets.view.at_x.value = 31; Targets.view.at_y.value = 21; Targets.view.at_y.dispatchEvent(new Event('change'))")
    check("a pixel can be typed", part(b, "at") == "31, 21" and b.run("Page.view().scale") >= 8)
    b.key("0")
    press(b, "Depth")
    b.wait("Targets.kind === 'depth'")
    value = depth(1)(40, 30)
    low = 0.9990 + 0.0008 * 20 / HEIGHT
    grey = round(255 * (value - low) / (1 - low))
    check("depth has a readable range", abs(shown(b, 40, 30)[0] - grey) <= 1 and shown(b, 5, 5) == [255] * 3)
    point(b, 40, 30)
    check("and exact values", abs(float(part(b, "after")) - value) < 1e-6 and part(b, "before") == "1")
    b.screenshot(screenshots, "depth")
    press(b, "Target 0")
    b.wait("Targets.kind === 'colour'")


def look_at_textures(b, screenshots):
    go(b, CALLS["box"], "textures")
    check("the first texture is shown", b.run(DRAWN_PANES) == "Sampler 0: texture 3" and b.run("Page.view().size()") == [16, 16])
    choose(b, "Level", 2)
    check("its levels are", b.wait("Page.view().size()[0] === 4"))
    b.run(f"{PANEL}.querySelectorAll('.textures button')[1].click()")
    check("and other textures", b.wait(f"{PANES} === 'Sampler 1: cube 4'"))
    choose(b, "Face", 3)
    b.run("Textures.token")
    check("with their faces", b.wait(f"{SETTLED}.then(() => Page.view().at('texture', 0, 0)?.[0] === 120)"))
    b.screenshot(screenshots, "textures")


def look_at_mesh(b, screenshots):
    go(b, CALLS["box"], "mesh")
    check("the table has the vertices", b.run("document.querySelectorAll('.vertices .vertex').length") == 8)
    check("and the columns of the answer", HOSTILE in b.run("document.querySelector('.vertex.head').textContent"))
    b.run("document.querySelector('.vertices').focus()")
    b.key("ArrowDown")
    b.key("ArrowDown")
    check("keys choose a vertex", b.run("Mesh.view.chosen") == 1)
    check("which its row shows", b.run("document.querySelector('.vertex[aria-selected=true] span').textContent") == "1")
    before = b.run(f"{SETTLED}.then(() => document.querySelector('canvas.mesh').toDataURL())")
    for key in ("ArrowLeft", "ArrowUp", "+"):
        b.run("document.querySelector('canvas.mesh').focus()")
        b.key(key)
        now = b.run(f"{SETTLED}.then(() => document.querySelector('canvas.mesh').toDataURL())")
        check(f"{key} moves the mesh", now != before)
        before = now
    b.run("document.activeElement.blur()")
    x, y = b.run("""(() => { const r = document.querySelector('canvas.mesh').getBoundingClientRect();
        const p = Mesh.view.project(r.width, r.height)[6]; return [r.left + p[0], r.top + p[1]]; })()""")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        b.mouse(kind, x, y)
    check("a click chooses a vertex", b.run("Mesh.view.chosen") == 6)
    press(b, "Wireframe")
    wire = b.run(f"{SETTLED}.then(() => document.querySelector('canvas.mesh').toDataURL())")
    check("the mesh can be a wireframe", wire != before)
    press(b, "Screen")
    check("positions on the screen are there", b.run("document.querySelector('.vertices .vertex').textContent").startswith("033"))
    press(b, "Output")
    check("and those of the vertex shader", "w" in b.run("document.querySelector('.vertex.head').textContent"))
    press(b, "Solid")
    b.screenshot(screenshots, "mesh")
    b.run(f"Page.go({CALLS['last']}, 'mesh')")
    b.wait(f"{READY} === '{CALLS['last']} targets'")
    check("a draw without a mesh has no such tab", not b.run("document.getElementById('tab-mesh').checkVisibility()"))
    check("shapes: strip, fan, lines", b.run("""JSON.stringify([meshShape('TRIANGLESTRIP', [5, 6, 7, 8], 2).triangles, meshShape('TRIANGLEFAN', [5, 6, 7, 8], 2).triangles,
        meshShape('LINESTRIP', [5, 6, 7], 2).lines, meshShape('LINELIST', [5, 6], 1).lines])""") == "[[[5,6,7],[7,6,8]],[[5,6,7],[5,7,8]],[[5,6],[6,7]],[[5,6]]]")


def look_at_tables(b, screenshots):
    go(b, CALLS["box"], "state")
    text = b.run(TEXT)
    check("the state that changed is shown", "CULLMODE" in text and "CCW" in text and "ZFUNC" not in text)
    press(b, "Not default 3")
    text = b.run(TEXT)
    check("the state that is not default", "ALPHABLENDENABLE" in text and "ZFUNC" not in text)
    press(b, "All 5")
    check("and all of it", "ZFUNC" in b.run(TEXT) and HOSTILE in b.run(PANEL + ".textContent"))
    b.screenshot(screenshots, "state")
    open_tab(b, "constants")
    check("constants have names", "tint" in b.run(TEXT) and "world[0] " + HOSTILE in b.run(PANEL + ".textContent"))
    check("and values", all(v in b.run(TEXT) for v in ("1e-9", "nan", "inf", "true")))
    press(b, "Changed")
    check("those that changed can be selected", b.run(f"{PANEL}.querySelectorAll('tbody tr').length") == 1)
    open_tab(b, "shaders")
    check("a shader has its text and costs", b.run("document.querySelectorAll('#panel-shaders .line')[2].innerText").split() == ["3", "7,348", "texld", "r0,", "t0,", "s0", "line", "7"])
    b.screenshot(screenshots, "shaders")
    press(b, "Vertex shader")
    check("the other one, too", b.wait(f"{TEXT}.includes('m4x4')") and HOSTILE in b.run(PANEL + ".textContent"))
    b.run(f"[...{PANEL}.querySelectorAll('.link')].find((e) => e.textContent === '{CALLS['ground']}').click()")
    check("a link goes to another draw with it", ready(b, CALLS["ground"], "shaders"))
    go(b, CALLS["box"], "call")
    check("the call has its arguments", "D3DPT_TRIANGLELIST" in b.run(TEXT) and HOSTILE in b.run(PANEL + ".textContent"))
    press(b, "6")
    check("a buffer is a link to its resource", b.wait("Page.shownTab === 'resources'") and "buffer 6" in b.run(TEXT).lower())
    check("unused resources are left out", b.run("document.querySelectorAll('#panel-resources .scroll tbody tr').length") == 7)
    press(b, "Used in the frame")
    check("until they are asked for", b.run("document.querySelectorAll('#panel-resources .scroll tbody tr').length") == 8)
    press(b, "3")
    press(b, f"texture {CALLS['last']}")
    check("readers are links", ready(b, CALLS["last"], "resources"))
    b.screenshot(screenshots, "resources")
    press(b, "Show its picture")
    check("a resource's picture can be shown", b.wait(f"{PANES} === 'Sampler 0: texture 3'", 5))
    open_tab(b, "costs")
    order = "[...document.querySelectorAll('#panel-costs .scroll:first-of-type tbody tr')].map((r) => +r.cells[0].textContent)"
    for want in ([CALLS["ground"], CALLS["box"], CALLS["last"]], [CALLS["last"], CALLS["box"], CALLS["ground"]]):
        b.run(f"[...{PANEL}.querySelectorAll('th button')].find((e) => e.textContent.startsWith('shaded')).click()")
        check("costs sort by a column", b.run(order)[:3] == want)
    check("the head says so", b.run("[...document.querySelectorAll('#panel-costs th')].filter((e) => e.getAttribute('aria-sort') === 'ascending').length") == 1)
    b.screenshot(screenshots, "costs")


def look_at_address(b):
    go(b, CALLS["box"], "state")
    check("the address has call and tab", b.run("location.hash") == f"#call={CALLS['box']}&tab=state")
    b.run(f"location.hash = '#call={CALLS['clear']}&tab=call'")
    check("a changed address is followed", ready(b, CALLS["clear"], "call"))
    b.run(f"Textures.resource = null; Page.go({CALLS['marked']}, 'targets')")
    check("an event without data of its own has the frame's", ready(b, CALLS["marked"], "resources") and
          b.run("[...document.querySelectorAll('#tabs button')].filter((e) => e.checkVisibility()).map((e) => e.textContent).join()") == "Resources,Costs")


def look_at_keys(b):
    go(b, CALLS["box"])
    b.key("?")
    check("a dialog lists the keys", b.run("$('help').open") and b.run("$('keys').rows.length === PAGE_KEYS.length"))
    b.run("$('help').close()")
    keys = b.run("PAGE_KEYS.map(([k]) => k.split(' ')[0]).filter((k) => k.length === 1 && k !== '?' && k !== '/')")
    check("no key has two meanings", len(set(keys)) == len(keys))
    for key in keys:
        b.key(key)
    seen = []
    b.run("document.activeElement.blur()")
    go(b, CALLS["box"])
    for _ in range(60):
        press_tab(b)
        seen.append(b.run("(document.activeElement.id || document.activeElement.textContent || document.activeElement.getAttribute('aria-label') || '').trim()"))
    for stop in ("search", "group", "tree", "tab-targets", "Target 0", "After", "RGB", "Auto", "Fit"):
        check(f"the tab key reaches {stop}", stop in seen)
    b.run("document.getElementById('tab-targets').focus()")
    b.key("ArrowRight")
    check("arrow keys go through the tabs", b.run("document.activeElement.id") == "tab-textures")


# Every control of the present view that can be clicked, by itself; returns how many.
CLICK_ALL = """(async () => { const wait = () => new Promise((done) => setTimeout(done, 5)); let n = 0;
    const all = [...document.querySelectorAll('#panels button, #panels select, #panels input')].filter((e) => e.checkVisibility() && !e.disabled);
    const tab = Page.shownTab;
    for (const e of all) {
        if (!e.isConnected || !e.checkVisibility()) continue;
        if (e.tagName === 'SELECT') for (const o of e.options) { e.value = o.value; e.dispatchEvent(new Event('change')); await wait(); }
        else if (e.tagName === 'BUTTON') e.click();
        else for (const v of ['1', '-3', '', 'x', '1e30']) { e.value = v; for (const k of ['input', 'change']) e.dispatchEvent(new Event(k)); await wait(); }
        await wait(); n++;
        if (Page.shownTab !== tab) { Page.setTab(tab); await wait(); }
    }
    for (const e of document.querySelectorAll('.panel:not([hidden]) input[type=search]')) { e.value = ''; e.dispatchEvent(new Event('input')); }
    Targets.view.setRange(0, 1); Textures.view.setRange(0, 1);
    return n; })()"""


def click_everything(b, tabs):
    for tab in tabs:
        go(b, CALLS["box"], tab)
        problems = len(b.problems)
        n = b.run(CLICK_ALL)
        check(f"every control of {tab} works ({n})", n is not None and (n > 0 or tab == "call") and len(b.problems) == problems)


def hostile_strings_are_text(b):
    check("no string became markup", b.wait("""window.hacked === undefined && document.querySelectorAll('script').length === 2 &&
        [...document.images].every((i) => i.getAttribute('src').startsWith('images/'))"""))


# Text whose contrast to what is behind it is less than 4.5, or 3 for large text.
CONTRAST = """(() => { const rgb = (c) => { const v = c.match(/[\\d.]+/g).map(Number); return /^color/.test(c) ? [...v.slice(0, 3).map((x) => 255 * x), v[3] ?? 1] : [...v.slice(0, 3), v[3] ?? 1]; };
    const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3]));
    const ground = (e) => { const up = []; for (; e; e = e.parentElement) up.push(rgb(getComputedStyle(e).backgroundColor));
        return up.reverse().reduce((under, c) => over(c, under), [255, 255, 255]); };
    const bad = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) { const e = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || !e.checkVisibility() || /SCRIPT|STYLE|OPTION/.test(e.tagName) || e.disabled) continue;
        const style = getComputedStyle(e), behind = ground(e), a = light(over(rgb(style.color), behind)), c = light(behind);
        const ratio = (Math.max(a, c) + 0.05) / (Math.min(a, c) + 0.05), large = parseFloat(style.fontSize) >= 24;
        if (ratio < (large ? 3 : 4.5)) bad.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)} ${walk.currentNode.data.slice(0, 20)}`); }
    return [...bad]; })()"""
# Elements beyond the right edge that do not lie in a box which scrolls.
WIDE = """(() => { const wide = [...document.body.querySelectorAll('*')].filter((e) => e.checkVisibility() &&
        e.getBoundingClientRect().right > innerWidth + 0.5 && !e.closest('.stage, .row, .scroll, .vertices, .vertex, .film'));
    return [Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), $('event').scrollWidth - $('event').clientWidth,
        wide.map((e) => e.tagName + '#' + e.id + '.' + e.className).join(' ')]; })()"""
# What assistive technology needs: names of controls, unique ids, references that exist.
NAMES = """(() => { const bad = [], name = (e) => (e.getAttribute('aria-label') || e.textContent || e.title || '').trim() || [...(e.labels || [])].map((l) => l.textContent).join('').trim();
    for (const e of document.querySelectorAll('button, select, input, [role=tree], [role=listbox], [role=radiogroup], [role=toolbar], [role=img], [role=region], [role=slider]'))
        if (e.checkVisibility() && !name(e)) bad.push('no name: ' + e.outerHTML.slice(0, 80));
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    for (const id of new Set(ids)) if (ids.filter((i) => i === id).length > 1) bad.push('twice: ' + id);
    for (const a of ['aria-controls', 'aria-labelledby', 'aria-activedescendant'])
        for (const e of document.querySelectorAll(`[${a}]`)) if (e.checkVisibility() && !document.getElementById(e.getAttribute(a))) bad.push(a + ' ' + e.getAttribute(a));
    for (const e of document.querySelectorAll('[role=radiogroup]'))
        if (e.checkVisibility() && e.children.length && !e.querySelector('[aria-checked=true]')) bad.push('none is chosen: ' + e.getAttribute('aria-label'));
    return bad; })()"""
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4')].filter((e) => e.checkVisibility()).map((e) => +e.tagName[1])"


# What axe-core would call serious or critical: roles in their places with their states, nothing that the keyboard
# cannot reach, controls inside controls, pictures without a text.
ROLES = """(() => { const bad = [], shown = (s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility());
    const say = (what, e) => bad.push(`${what}: ${e.cloneNode(false).outerHTML.slice(0, 90)}`);
    const PLACE = { tab: 'tablist', option: 'listbox', treeitem: 'tree', radio: 'radiogroup' };
    const STATE = { tab: ['aria-selected', 'aria-controls'], option: ['aria-selected'], treeitem: ['aria-level', 'aria-selected'], radio: ['aria-checked'],
        slider: ['aria-valuenow', 'aria-valuemin', 'aria-valuemax'], tabpanel: ['aria-labelledby'] };
    const KNOWN = ['alert', 'dialog', 'group', 'img', 'listbox', 'none', 'option', 'radio', 'radiogroup', 'region', 'slider', 'status', 'tab', 'tablist', 'tabpanel', 'toolbar', 'tree', 'treeitem'];
    for (const e of shown('[role]')) {
        if (!KNOWN.includes(e.role)) say('unknown role', e);
        if (PLACE[e.role] && !e.closest(`[role=${PLACE[e.role]}]`)) say('out of place', e);
        for (const a of STATE[e.role] || []) if (!e.hasAttribute(a)) say(`no ${a}`, e);
    }
    for (const e of shown('img')) if (!e.hasAttribute('alt')) say('no alt', e);
    for (const e of shown('[aria-hidden=true] *')) if (e.tabIndex >= 0) say('hidden but in the tab order', e);
    for (const e of shown('[tabindex]')) if (e.tabIndex > 0) say('tabindex above 0', e);
    for (const e of shown('button *, a *')) if (/^(BUTTON|A|INPUT|SELECT)$/.test(e.tagName)) say('a control in a control', e);
    for (const e of shown('#panels *, nav *')) { const style = getComputedStyle(e);
        if (/auto|scroll/.test(style.overflowX + style.overflowY) && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1) &&
            e.tabIndex < 0 && ![...e.querySelectorAll('*')].some((c) => c.tabIndex >= 0)) say('scrolls without keys', e); }
    for (const e of shown('tr > th')) if (!e.scope) say('th without scope', e);
    if (!document.documentElement.lang || !document.title) bad.push('no language or title');
    return bad; })()"""


def look_at_design(b, tabs, screenshots):
    for tab in tabs:
        go(b, CALLS["box"], tab)
        for dark in (False, True):
            b.run(f"document.documentElement.classList.toggle('dark', {json.dumps(dark)})")
            bad = b.run(CONTRAST)
            check(f"{tab} is readable{' in the dark' if dark else ''} {bad or ''}", bad == [])
        b.screenshot(screenshots, "dark-" + tab)
        b.run("document.documentElement.classList.remove('dark')")
        bad = b.run(ROLES)
        check(f"{tab} has its roles and states {bad or ''}", bad == [])
        bad = b.run(NAMES)
        check(f"{tab} has names for all controls {bad or ''}", bad == [])
        levels = b.run(HEADINGS)
        check(f"{tab} has its headings in order", levels[:2] == [1, 2] and levels.count(1) == 1 and
              all(q <= p + 1 for p, q in zip(levels, levels[1:])))
    for width in (400, 700, 1100, 2560):
        b.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        for tab in tabs:
            go(b, CALLS["box"], tab)
            page_width, inner, wide = b.run(f"{SETTLED}.then(() => {WIDE})")
            check(f"{tab} fits {width} pixels {wide}", page_width <= width and inner <= 0 and not wide)
            b.screenshot(screenshots, f"{width}-{tab}")
    b.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)


REGISTERS = """[...document.querySelectorAll('#panel-steps table[aria-label=Registers] tbody tr')].map((r) => r.innerText.replace(/\\s+/g, ' ').trim())"""
MARKED = """[...document.querySelectorAll('#panel-steps .written')].map((c) => c.textContent + (c.classList.contains('differs') ? '!' : ''))"""
STEP_LINE = "+document.querySelector('#panel-steps .line[aria-selected=true]')?.dataset.line"


def look_at_steps(b, screenshots):
    press(b, "Steps")
    check("the history leads to the steps of the pixel shader", ready(b, CALLS["box"], "steps") and b.run(STEP_LINE) == 2)
    text = b.run(PANEL + ".textContent")
    check("with what it is of", "Pixel 40, 30, primitive 0, instance 2" in text and "ps_3_0 " + HOSTILE in text)
    check("registers, inputs by name", b.run(REGISTERS) == [f"v0 TEXCOORD0 {HOSTILE} 0.25 0.5", "r0 0.7 0.47 0.23 1"])
    check("the texture read", "map " + HOSTILE in text and b.run("[...document.querySelectorAll('.lookup td')].map((e) => e.innerText.trim())") ==
          ["3", "0.25 0.5", "-1", "0.7 0.47 0.23"])
    b.screenshot(screenshots, "steps")
    b.key(".")
    b.key(".")
    check("a step forward runs an instruction", b.run(STEP_LINE) == 4 and "r0 1.4 0.94 0.46 1" in b.run(REGISTERS) and b.run("Steps.place.textContent") == "3 of 10")
    check("and marks what it has written", b.run(MARKED) == ["1.4!", "0.94!", "0.46!"])
    constants = "[...document.querySelectorAll('#panel-steps table[aria-label=Constants] tr.chosen')].map((r) => r.innerText.replace(/\\s+/g, ' ').trim())"
    check("constants of the instruction come first, by name", b.run(constants) == [f"c10 tint {HOSTILE} 2 2 2 1"])
    b.key(",")
    check("a step back takes it back", b.run(STEP_LINE) == 3 and "r0 0.7 0.47 0.23 1" in b.run(REGISTERS) and b.run(MARKED) == [])
    line = lambda n: b.run(f"document.getElementById('step-line-{n}').click()")
    line(4)
    line(4)
    check("a click on a line runs to its next execution", b.run("Steps.at") == 4 and b.run(MARKED) == ["2.8!", "1.88!", "0.46"])
    line(4)
    check("and after the last one to the first", b.run("Steps.at") == 2)
    line(8)
    check("a line that does not run says so", b.run("Steps.at") == 2 and "Line 9 does not run here." in b.run(TEXT))
    check("how often lines run is shown", b.run("document.getElementById('step-line-4').textContent").endswith("×2") and
          b.run("document.getElementById('step-line-8').getAttribute('aria-disabled')") == "true")
    b.run("document.querySelector('#panel-steps .code-box').focus()")
    b.key("ArrowDown")
    b.key("ArrowDown")
    check("keys go through the lines", b.run("Steps.at") == 6 and "The predicate is false" in b.run(TEXT) and b.run(MARKED) == [])
    b.key("ArrowUp")
    b.key("ArrowUp")
    check("and back", b.run("Steps.at") == 4)
    b.key("Enter")
    check("and through the executions of one", b.run("Steps.at") == 2)
    b.key("End")
    check("outputs stand at the end", b.run(REGISTERS)[-2:] == ["oC0 2.8 1.88 0.46 1", "oDepth 0.5"] and "removed by texkill" in b.run(TEXT))
    check("a register that is written is seen", b.run("""(() => { const box = document.querySelector('#panel-steps .scroll[aria-label=Registers]');
        box.style.maxHeight = '90px'; Steps.revealWritten(box, 0); const e = box.querySelector('.written').getBoundingClientRect(), r = box.getBoundingClientRect();
        return box.scrollTop > 0 && e.bottom <= r.bottom && e.top >= r.top; })()"""))
    b.key("Home")
    b.run("document.activeElement.blur()")
    press(b, "Bits")
    check("numbers can be bits", "v0 TEXCOORD0 " + HOSTILE + " 3e800000 3f000000" in b.run(REGISTERS))
    press(b, "Decimal")
    for label, at in (("Last step", 9), ("Step back (,)", 8), ("First step", 0), ("Step forward (.)", 1)):
        b.run(f"document.querySelector('#panel-steps button[aria-label=\"{label}\"]').click()")
        check(f"the button {label} works", b.run("Steps.at") == at)
    b.run("Steps.slider.value = 8; Steps.slider.dispatchEvent(new Event('input'))")
    check("so does the slider, and a pair of instructions is one step", b.run("document.querySelectorAll('#panel-steps .line.now').length") == 2 and
          "texkill removes the pixel here." in b.run(TEXT))
    open_tab(b, "pixel")
    b.run("[...document.querySelectorAll('.primitive')][1].querySelector('button').click()")
    check("an invocation without steps says why", b.wait(f"{PANEL}.textContent.includes('The draw has no ')") and HOSTILE in b.run(PANEL + ".textContent") and
          not b.run("Steps.tools.checkVisibility()"))
    go(b, CALLS["ground"], "steps")
    check("the steps belong to their draw", b.run("Page.shownTab") != "steps")


def look_at_vertex_steps(b, screenshots):
    go(b, CALLS["box"], "mesh")
    check("no vertex is chosen at first", b.run("Mesh.stepsButton.disabled"))
    b.run("document.querySelector('.vertices').focus()")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
        b.key(key)
    b.key("Enter")
    check("a row of the vertex table leads to the vertex shader", b.wait(f"{READY} === '{CALLS['box']} steps'") and b.run("Steps.asked.key") == f"steps/{CALLS['box']}/vertex/2")
    check("with its steps", b.run(REGISTERS) == ["v0 POSITION0 1 2 3", "oPos POSITION0 1 2 3 inf"] and "fixed-function" in b.run(TEXT) and "1 of 1, more are left out" in b.run(TEXT))
    open_tab(b, "mesh")
    b.run("Mesh.choose(5)")
    press(b, "Steps of the vertex")
    check("so does the button", b.wait(f"Steps.asked.key === 'steps/{CALLS['box']}/vertex/5' && Page.shownTab === 'steps'"))
    open_tab(b, "mesh")
    b.run("Mesh.choose(1); document.querySelector('.vertices').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}))")
    check("and a double click", b.wait(f"Steps.asked.key === 'steps/{CALLS['box']}/vertex/1' && Page.shownTab === 'steps'"))


def look_at_history(b, screenshots):
    go(b, CALLS["box"])
    check("the film strip has all frames", b.run("document.querySelectorAll('#film .cell').length") == 4)
    check("with their pictures", b.wait("document.querySelectorAll('#film :is(img, canvas)').length === 4"))
    b.run("Targets.setMode('after')")
    choose(b, "Overlay", "draw")
    check("an overlay lies over the picture", b.wait("!!Targets.view.overlay") and shown(b, 40, 30)[2] > 100 and shown(b, 5, 5) == list(colour(2)(5, 5)[:3]))
    choose(b, "Overlay", "")
    x, y = point(b, 40, 30)
    for kind in ("mousePressed", "mouseReleased"):
        b.mouse(kind, x, y)
    check("a click on a pixel shows its history", b.wait("Page.shownTab === 'pixel' && document.querySelectorAll('.history .card').length === 2"))
    text = b.run(PANEL + ".textContent")
    check("with tests and values", "depth ✓" in text and "depth ✗" in text and "0.875 0.5 0.125 1" in text and "fails " + HOSTILE in text)
    look_at_steps(b, screenshots)
    open_tab(b, "pixel")
    b.run(f"[...{PANEL}.querySelectorAll('.history .link')][0].click()")
    check("an event of the history is a link", ready(b, CALLS["clear"], "targets"))
    go(b, CALLS["box"])
    b.run("$('film').focus()")
    b.key("Home")
    b.key("Enter")
    check("another frame can be opened", b.wait("location.search === '?frame=0'", 10))
    b.wait(READY)


def press_tab(b):
    for kind in ("keyDown", "keyUp"):
        b.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)


def look_at_focus(b):
    """The tab key goes through the controls in the order in which they stand, shows where it is, and comes back."""
    go(b, CALLS["box"])
    b.run("$('theme').focus(); window.focused = []; window.stop = new WeakSet()")
    for _ in range(120):
        press_tab(b)
        again = b.run("""(() => { const e = document.activeElement; if (e === document.body || stop.has(e)) return true;
            const style = getComputedStyle(e), r = e.getBoundingClientRect(); stop.add(e);
            focused.push([e.closest('header, nav, .title, .tabs, .panel, .film')?.className || e.closest('nav') && 'nav' || 'header',
                (e.id || e.textContent).slice(0, 20), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0, r.width > 0 && r.height > 0]);
            return false; })()""")
        if again:
            break
    stops = b.run("focused")
    check("the tab key comes back to where it began", again and len(stops) > 15)
    hidden = [s[1] for s in stops if not s[2] or not s[3]]
    check(f"its place is seen {hidden or ''}", not hidden)
    places = [s[0] for s in stops]
    runs = [p for i, p in enumerate(places) if i == 0 or places[i - 1] != p]
    check(f"it leaves no part of the page before its end {runs}", len(runs) == len(set(runs)))


# --- A bundled capture --------------------------------------------------------------------------

def navigate(b, url):
    b.open("about:blank")
    b.call("Page.navigate", url=url)
    return b.wait(f"typeof Frame !== 'undefined' && Frame.data && {READY}", 30)


def answer_of(folder, key):
    with open(os.path.join(folder, "data", key + ".js"), encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index(", ") + 2:text.rindex(");")])


def look_at_every_event(b):
    """Opens all views of all events; returns how many."""
    seen = 0
    for call in b.run("Frame.events.filter((e) => e.kind !== 'begin' && e.kind !== 'end').map((e) => e.call)"):
        go(b, call)
        for tab in b.run("Page.usable().map((t) => t.id)"):
            open_tab(b, tab)
            shown = b.run(f"{READY} === '{call} {tab}' && !$('none').textContent && {TEXT}.trim().length > 10")
            seen += bool(shown)
            if not shown:
                check(f"call {call} has its {tab}", False)
    return seen


def look_at_capture(b, novem, folder, screenshots):
    """What `novem frame` writes, opened from disk."""
    write_frame(novem, CAPTURE, 1, folder)
    check("a page of novem frame opens", navigate(b, "file://" + os.path.join(folder, "index.html")))
    frame = answer_of(folder, "frame")
    draws = [e["call"] for e in frame["events"] if e["kind"] == "draw"]
    check("its list has all draws", [c for c in b.run(CALLS_SHOWN) if c in draws] == draws and len(draws) == 5)
    seen = look_at_every_event(b)
    check(f"all {seen} views of its events have data", seen >= 5 * len(draws))
    call = draws[2]
    after = answer_of(folder, f"event/{call}")["targets"][0]["after"]
    go(b, call)
    x, y = 80, 60
    point(b, x, y)
    rgba = golden_report.pixel_of(os.path.join(folder, after["file"]), x, y)
    check(f"a value under the pointer is that of the picture: {rgba}", part(b, "after").startswith(" ".join(map(str, rgba)) + " "))
    open_tab(b, "costs")
    check("costs are there", len(b.run(f"[...{PANEL}.querySelectorAll('.scroll:first-of-type tbody tr')].map((r) => r.textContent)")) >= len(draws))
    b.screenshot(screenshots, "capture-costs")


def look_at_overlays(b, call):
    go(b, call)
    kinds = b.run("Frame.data.overlays")
    for kind in kinds:
        choose(b, "Overlay", kind)
        check(f"the overlay {kind} has a picture", b.wait(f"Targets.overlays.value === '{kind}' && !!Targets.view.overlay && Targets.view.overlayKind === '{kind}'"))
    choose(b, "Overlay", "")
    return kinds


def look_at_server(b, novem, screenshots):
    """A running `novem inspect`."""
    with Inspector(novem, CAPTURE) as inspector:
        check("a page of novem inspect opens", navigate(b, inspector.address))
        check("its film strip has the frames", b.wait("document.querySelectorAll('#film .cell').length === 2"))
        check("and their pictures", b.wait("[...document.querySelectorAll('#film img')].filter((i) => i.complete && i.naturalWidth > 0).length === 2"))
        seen = look_at_every_event(b)
        check(f"all {seen} views of its events have data", seen >= 20)
        call = b.run("Frame.events.filter((e) => e.kind === 'draw')[2].call")
        check("it has overlays", {"draw", "wireframe", "cost", "overdraw"} <= set(look_at_overlays(b, call)))
        x, y = point(b, 80, 60)
        for kind in ("mousePressed", "mouseReleased"):
            b.mouse(kind, x, y)
        check("a click on a pixel shows its history", b.wait("Page.shownTab === 'pixel' && document.querySelectorAll('.history .card').length >= 1"))
        b.screenshot(screenshots, "server-pixel")
        check("costs come", b.wait("!!Frame.costs"))
        b.run("$('film').focus()")
        b.key("ArrowRight")
        b.key("Enter")
        check("another frame opens", b.wait("location.search === '?frame=1' && typeof Frame !== 'undefined' && Frame.data?.frame === 1") and b.wait(READY))
        refused = b.run("fetch('../data/frame').then((r) => r.status)")
        check("an address without the token is refused", refused == 404)


def look_at_candidate(b, screenshots):
    marks = "[...document.querySelectorAll('#tree .row .failed')].map((e) => e.textContent).join()"
    check("events that differ are marked, the first above all", b.run(marks) == "≠ first,≠")
    go(b, CALLS["ground"], "candidate")
    check("a missing picture is told", "has no picture after this event" in b.run(TEXT) and b.run(DRAWN_PANES) == "Novem")
    press(b, str(CALLS["box"]))
    check("a link opens the first difference", ready(b, CALLS["box"], "candidate"))
    check("both pictures stand side by side", b.run(DRAWN_PANES) == "Novem,Candidate,Difference")
    check("pixels are counted", "1,200 pixels differ after this event, at most by 208" in b.run(TEXT) and b.run("Candidate.view.changedPixels") == 1200)
    b.screenshot(screenshots, "candidate")


def fill(b, label, text):
    """Types a text into the field of the present view with a label, as keys do."""
    b.run(f"""(() => {{ const e = [...{PANEL}.querySelectorAll('input, textarea')].find((x) => x.getAttribute('aria-label') === {json.dumps(label)});
        e.focus(); e.select(); }})()""")
    b.type(text)


def look_at_edit(b, frame, screenshots):
    go(b, CALLS["clear"])
    check("a clear cannot be edited", not b.run("$('tab-edit').checkVisibility()"))
    go(b, CALLS["box"])
    b.run("document.activeElement.blur()")
    b.key("w")
    check("a key opens the changes of a draw", ready(b, CALLS["box"], "edit"))
    names = b.run("[...document.querySelectorAll('#edit-places option')].map((o) => o.value)")
    check("states and constants are offered", names[:4] == ["ZFUNC", "CULLMODE", "ALPHABLENDENABLE", "sampler0:MAGFILTER"] and
          "ps:c0" in names and "Width" not in " ".join(names))
    fill(b, "State or constant", "ZFUNC")
    fill(b, "Value", "BAD")
    b.key("Enter")
    check("a change is listed beside its old value", "ZFUNC=BAD was LESSEQUAL" in b.run(TEXT).replace("\n", " "))
    b.run(f"{PANEL}.querySelector('input').focus()")
    b.run(f"{PANEL}.querySelector('input').dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', ctrlKey: true, bubbles: true}}))")
    check("an error of the server is text", b.wait(f"Edit.trouble.textContent === {json.dumps('there is no state ' + HOSTILE)}"))
    press(b, "Remove")
    for place, value in (("CULLMODE", "CW"), ("ps:c0", "1,0,0,1")):
        fill(b, "State or constant", place)
        fill(b, "Value", value)
        press(b, "Add")
    b.run(f"{PANEL}.querySelectorAll('input[type=checkbox]')[1].click()")
    check("the shader of the draw can be edited", b.wait("Edit.stages[1].text.value.startsWith('ps_2_0\\ndcl_2d s0\\n')"))
    fill(b, "Text of the pixel shader", "ps_2_0")
    press(b, "Look again")
    check("the draw is drawn again", ready(b, CALLS["box"], "edit") and b.wait("!Edit.result.hidden && Edit.view.pictures.after"))
    check("with all changes, and the profile of the draw", frame.request == {
        "call": CALLS["box"], "set": ["CULLMODE=CW"], "constants": ["ps:c0=1,0,0,1"], "pixel": "ps_2_0", "profiles": {"pixel": "ps_2_0"}})
    names = b.run("[...Edit.shown.children].map((c) => c.textContent).join()")
    check("pictures after the draw and at the end", names == "Target 0 after the draw,Depth after the draw,Target 0 at the end,Depth at the end")
    check("they stand side by side", b.run(DRAWN_PANES) == "As captured,Changed,Difference")
    b.run("Edit.view.goTo(40, 30)")
    values = b.run("Edit.view.line.textContent")
    check("values are compared", "#%02x%02x%02x%02x" % colour(2)(40, 30) in values and "#%02x%02x%02x%02x" % colour(1)(40, 30) in values)
    press(b, "Target 0 at the end")
    check("the end of the frame differs, too", b.wait("Edit.wanted === 'Target 0 at the end' && Edit.view.changedPixels === 1200"))
    press(b, "Changed")
    check("a picture alone", b.run(DRAWN_PANES) == "Changed")
    check("the command can be copied", b.run("Edit.command.textContent") == "novem edit 'x" + HOSTILE + f"' --call {CALLS['box']}")
    check("the capture can be downloaded", b.run(f"{PANEL}.querySelector('a').getAttribute('href')").startswith("data/edit/0123456789abcdef/capture"))
    go(b, CALLS["last"], "edit")
    check("another draw has no changes", b.run("Edit.result.hidden && !Edit.list.children.length && !Edit.stages[1].box.checked"))
    go(b, CALLS["box"], "edit")
    check("those of the first are kept", b.run("!Edit.result.hidden && Edit.list.children.length === 2 && Edit.stages[1].text.value === 'ps_2_0'"))
    b.screenshot(screenshots, "edit")


def main():
    novem = os.path.abspath(sys.argv[1])
    screenshots = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        folder = os.path.join(work, "frame")
        write(novem, folder)
        b = Browser(os.path.join(work, "profile"))
        b.open(os.path.join(folder, "index.html"))
        check("the page opens from disk", b.wait("document.querySelectorAll('#tree .row').length > 0") and ready(b, CALLS["last"], "targets"))
        check("it has no part that needs a server", not b.run("$('film-button').checkVisibility() || $('tab-pixel').checkVisibility() || $('tab-steps').checkVisibility() || Mesh.stepsButton.isConnected || !!$('tab-edit')"))
        look_at_tree(b)
        look_at_targets(b, screenshots)
        look_at_textures(b, screenshots)
        look_at_mesh(b, screenshots)
        look_at_tables(b, screenshots)
        look_at_candidate(b, screenshots)
        look_at_address(b)
        look_at_keys(b)
        look_at_focus(b)
        click_everything(b, TABS)
        hostile_strings_are_text(b)
        look_at_design(b, TABS, screenshots)

        b.open("about:blank")
        address, frame = serve(novem)
        b.call("Page.navigate", url=address)
        check("the page opens from a server", b.wait("document.querySelectorAll('#tree .row').length > 0") and ready(b, CALLS["last"], "targets"))
        look_at_history(b, screenshots)
        look_at_vertex_steps(b, screenshots)
        b.run(f"Page.showPixel({CALLS['box']}, {{resource: 1}}, 40, 30)")
        b.wait("document.querySelectorAll('.history .card').length === 2")
        b.run(f"Steps.pixel({CALLS['box']}, 40, 30, 0, 2)")
        ready(b, CALLS["box"], "steps")
        look_at_edit(b, frame, screenshots)
        look_at_design(b, ["pixel", "steps", "edit"], screenshots)
        click_everything(b, ["steps", "targets", "textures", "mesh", "pixel", "edit"])
        hostile_strings_are_text(b)

        look_at_capture(b, novem, os.path.join(work, "capture"), screenshots)
        look_at_server(b, novem, screenshots)
        check("no exception was thrown" + "".join(": " + p for p in b.problems), not b.problems)
        b.close()
    sys.exit(golden_report.failed > 0)


if __name__ == "__main__":
    main()
