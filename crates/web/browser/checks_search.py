"""The checks of the search view."""

import re

from driver import new


def number(text):
    return int(text.replace(",", ""))


def levels_and_nodes(page):
    """The level and the nodes of each row of the tree."""
    return [(int(row.get_attribute("aria-level")), number(row.locator(".cell-nodes span").last.text_content())) for row in page.page.locator(".search-row").all()]


def a_search_is_watched(browser, server, drivers):
    page = new(browser, server, drivers, view="search")
    page.page.locator(".search-controls input[type=number]").first.fill("8")
    page.page.locator(".search-controls select").select_option("all")
    page.page.click("text=Record the search")
    page.page.wait_for_selector(".search-row >> nth=5", timeout=60000)
    rows = levels_and_nodes(page)
    below = sum(nodes for level, nodes in rows if level == 2)
    assert rows[0][1] == 1 + below, f"the children of the root sum to its nodes: {rows[0][1]} and {below}"
    page.page.locator(".search-row:not(.rest)").nth(1).click()
    page.page.keyboard.press("ArrowRight")
    page.expect("the children of the first move come", lambda: any(level == 3 for level, _ in levels_and_nodes(page)))
    assert "Entered with depth" in page.page.text_content(".story"), "the node tells its story"
    before = page.page.text_content(".slider-row output")
    page.page.locator(".slider-row input").focus()
    page.page.keyboard.press("ArrowLeft")
    page.expect("the slider shows another iteration", lambda: page.page.text_content(".slider-row output") != before)
    page.page.keyboard.press("ArrowRight")
    page.page.click("#tab-flame")
    page.expect("the flame graph is drawn", lambda: page.page.locator(".flame-bar").count() > 20)
    page.page.click("#tab-totals")
    page.page.wait_for_selector(".totals >> text=late move pruning")
    page.page.click("text=Measure the savings")
    page.page.wait_for_selector(".totals .saves", timeout=60000)
    page.page.wait_for_selector(".totals >> text=Measure the savings", timeout=60000)
    page.page.click("#tab-tree")
    page.expect("the first tree is there again", lambda: len(levels_and_nodes(page)) > 5)
    page.page.locator(".search-row:not(.rest)").nth(1).click()
    move = page.page.locator(".search-row.chosen strong").text_content()
    page.page.click("text=Record below this node")
    page.page.wait_for_selector(f".search-view >> text=below {move}", timeout=60000)
    page.page.reload()
    page.page.wait_for_selector(f".search-view >> text=below {move}")
    page.expect("the tree is there after a reload", lambda: page.page.locator(".search-row").count() > 1)


def a_search_is_stopped(browser, server, drivers):
    page = new(browser, server, drivers, view="search")
    page.page.locator(".search-controls input[type=number]").first.fill("40")
    page.page.click("text=Record the search")
    page.page.click(".search-controls >> text=Stop")
    page.page.wait_for_selector(".search-view >> text=/^Stopped: /")
    page.expect("what was recorded is shown", lambda: page.page.locator(".search-row").count() > 1)


def the_monte_carlo_tree_is_opened(browser, server, drivers):
    page = new(browser, server, drivers, view="search")
    page.page.click("#tab-mcts")
    page.page.locator(".search-body input[type=number]").fill("300")
    page.page.click('.search-body button:has-text("Search")')
    rows = page.page.locator(".mcts-table tbody tr")
    page.expect("root moves have visits", lambda: rows.count() > 0, 60)
    page.page.wait_for_selector('.search-body [role=status] >> text=/^done/', timeout=60000)
    page.page.wait_for_timeout(700)
    rows.first.click()
    page.page.wait_for_selector('.mcts-table tr[aria-level="2"]')
    visits = lambda row: int(re.sub(r"\D", "", row.locator("td").first.text_content()))
    below = page.page.locator('.mcts-table tr[aria-level="2"][data-line]').all()
    assert sum(map(visits, below)) == visits(rows.first) - 1, "the visits of the replies sum to those of the move less one"
    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_selector('.mcts-table tr[aria-level="3"]')
    page.page.keyboard.press("ArrowLeft")
    page.expect("a row is closed", lambda: page.page.locator('.mcts-table tr[aria-level="3"]').count() == 0)
